/**
 * The job `versions.propose`: reads dates and duties from a version's text and stores them as proposals. It may be
 * killed at any point, repeated and run twice at once: the proposals commit together with the mark of being read.
 */
import { z } from "zod";
import { change, reader, select, skipAudit } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import type { readTerms as ReadTerms } from "#lib/documents/terms/terms.ts";
import { type Drafts, draftsFrom } from "./from-findings.ts";
import { askModel, proposingModel } from "./model.ts";
import { storeDrafts, withdrawOthers } from "./store.ts";

const termsParser = parser<typeof ReadTerms>("lib/documents/terms/terms.ts", "readTerms", "background");

/**
 * The characters of about 20 pages, which are read in this process: that takes 20 ms, or 50 ms if all of them are
 * dates. Longer texts are read in a process of their own.
 */
const maxInlineCharacters = 50_000;
const limits = { timeoutMs: 20_000, memoryMb: 768 };

/** Increase this when the rules improve: versions read by an earlier edition are then read again. */
export const edition = 3;

const Payload = z.object({ organizationId: z.string(), versionId: z.string() });

export async function proposeFromVersion(payload: unknown): Promise<void> {
  const { organizationId, versionId } = Payload.parse(payload);
  const ctx = systemContext(organizationId, "versions.propose");
  const version = await newestReadable(ctx, versionId);
  if (!version) return;
  const model = proposingModel();
  const before = await reader().versionReading.findFirst({ where: { ...own(ctx), versionId } });
  if (before && before.edition >= edition && before.model === model) return;
  const pages = version.pages.map(({ text }) => text);
  const findings = await read(ctx, versionId, pages);
  const drafts = findings ? draftsFrom(findings) : { dates: [], obligations: [] };
  // If the text could not be read, the full set of its proposals is unknown.
  const whole = findings && !model ? drafts : null;
  await store(ctx, version, drafts, { model: null, whole });
  if (!model) return;
  // Stores the rules' proposals before asking the model, so that a model that does not answer delays nothing.
  const obligations = await askModel(pages);
  const both = { ...drafts, obligations: [...drafts.obligations, ...obligations] };
  await store(ctx, version, { dates: [], obligations }, { model, whole: findings && both });
}

interface Version {
  id: string;
  contractId: string;
}

/** Returns the version if it is the newest one. Older versions are outdated; a sealed one repeats the one before it. */
async function newestReadable(ctx: Context, versionId: string) {
  const [found] = await select<{ isNewest: boolean }>(
    `SELECT v.source <> 'SIGNED' AND NOT EXISTS (
         SELECT 1 FROM document_versions later WHERE later.organization_id = v.organization_id
           AND later.contract_id = v.contract_id AND later.version_number > v.version_number
           AND later.source <> 'SIGNED' AND later.text_state <> 'FAILED') AS "isNewest"
     FROM document_versions v WHERE v.organization_id = $1 AND v.id = $2 AND v.text_state = 'READY'`,
    [ctx.organizationId, versionId],
  );
  if (!found?.isNewest) return null;
  return reader().documentVersion.findFirst({
    where: { ...own(ctx), id: versionId },
    select: { id: true, contractId: true, pages: { orderBy: { pageIndex: "asc" } } },
  });
}

async function read(ctx: Context, versionId: string, pages: string[]) {
  const letters = pages.reduce((sum, page) => sum + page.length, 0);
  if (letters <= maxInlineCharacters) {
    // Imported on use: it loads a library of 260 files, which a starting server does not need.
    const { readTerms } = await import("#lib/documents/terms/terms.ts");
    return readTerms({ pages });
  }
  try {
    return await runInChild(termsParser, { pages }, limits, turnOf(ctx));
  } catch (error) {
    if (!(error instanceof ParserFailed) || error.reason === "stalled") throw error;
    // A retry would not change the result, so the version counts as read, without a proposal.
    const { organizationId } = ctx;
    log().warn({ organizationId, versionId, error: error.message }, "dates could not be read");
    return null;
  }
}

interface Reading {
  model: string | null;
  /** All that the version proposes; null while that is not known. */
  whole: Drafts | null;
}

async function store(
  ctx: Context,
  version: Version,
  drafts: Drafts,
  { model, whole }: Reading,
): Promise<void> {
  await change(ctx, async (tx) => {
    // Stores a reading without findings too, and proposed dates have no audit event.
    skipAudit();
    const where = { ...own(ctx), versionId: version.id };
    // A concurrent run waits here and then sees what this one has written.
    await tx.$queryRaw`SELECT 1 FROM contracts
      WHERE organization_id = ${ctx.organizationId} AND id = ${version.contractId} FOR UPDATE`;
    if (whole) await withdrawOthers(ctx, tx, version.contractId, whole);
    await storeDrafts(ctx, tx, version, drafts);
    const reading = { edition, model, readAt: ctx.now };
    await tx.versionReading.upsert({
      where: { organizationId_versionId: where },
      create: { ...where, ...reading },
      update: reading,
    });
  });
}
