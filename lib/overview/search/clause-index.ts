/**
 * The job `clauses.index`: splits a version's text into searchable clauses. It can be killed at any point, repeated, or
 * run twice concurrently: each run replaces everything in one transaction.
 */
import { z } from "zod";
import { reader } from "#lib/core/change.ts";
import { type Context, own, systemContext } from "#lib/core/context.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { log } from "#lib/core/log.ts";
import { parser, runInChild } from "#lib/documents/sandbox/child.ts";
import { ParserFailed } from "#lib/documents/sandbox/watch.ts";
import { storeClauses } from "./clause-store.ts";
import { type ReadDocument, readPassages } from "./passages.ts";

const passagesParser = parser<typeof readPassages>(
  "lib/overview/search/passages.ts",
  "readPassages",
  "background",
);

/** About 20 pages: these are read in this process, which takes some 20 ms. Longer texts are read in a child process. */
const fewCharacters = 50_000;

/** 2,000 pages take 3 seconds. */
const limits = { timeoutMs: 20_000, memoryMb: 768, answerMb: 64 };

const Payload = z.object({ organizationId: z.string(), versionId: z.string() });

export async function indexVersion(payload: unknown): Promise<void> {
  const { organizationId, versionId } = Payload.parse(payload);
  const ctx = systemContext(organizationId, "clauses.index");
  const version = await reader().documentVersion.findFirst({
    where: { ...own(ctx), id: versionId, textState: "READY" },
    select: { id: true, contractId: true, pages: { orderBy: { pageIndex: "asc" } } },
  });
  if (!version) return;
  const read = await readDocument(
    ctx,
    versionId,
    version.pages.map(({ text }) => text),
  );
  await storeClauses(ctx, version, read);
}

async function readDocument(ctx: Context, versionId: string, pages: string[]): Promise<ReadDocument> {
  const letters = pages.reduce((sum, page) => sum + page.length, 0);
  if (letters <= fewCharacters) return readPassages({ pages });
  try {
    return await runInChild(passagesParser, { pages }, limits, turnOf(ctx));
  } catch (error) {
    if (!(error instanceof ParserFailed) || error.reason === "stalled") throw error;
    // A text that cannot be read now will fail the next time, too. It counts as read, without clauses.
    const { organizationId } = ctx;
    log().warn({ organizationId, versionId, error: error.message }, "clauses could not be read");
    return { language: "english", passages: [] };
  }
}
