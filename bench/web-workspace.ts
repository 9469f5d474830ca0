/** Creates what the measured pages show in the seeded workspace, through the domain, and signs an owner in. */
import "#lib/events/listen.ts";
import { type Shown, somethingToShow } from "#e2e/pages.ts";
import { contractPdf } from "#e2e/sealing.ts";
import { linkOf, requestOf, visitBy, type Workspace } from "#e2e/signing.ts";
import { createContract } from "#lib/contracts/create.ts";
import { prepareVersion } from "#lib/contracts/prepare.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import { systemContext } from "#lib/core/context.ts";
import { createObligation } from "#lib/obligations/obligations.ts";
import { NewObligation } from "#lib/obligations/schema.ts";
import { store } from "#lib/storage/store.ts";
import type { Seeded } from "./seed.ts";
import { type Cookie, signIn } from "./sign-in.ts";
import { longContract } from "./web-long-contract.ts";

export interface Furnished extends Shown {
  /** The cookies of a signed-in owner. */
  cookies: Cookie[];
  longContractId: string;
  /** Paths that open an 80-page document: for a signer's first visit, and for one who has already agreed. */
  ceremony: { first: string; agreed: string };
}

export const ceremonyPages = 80;

/** The environment must name the same database and folder as the server at `url`. */
export async function furnish(databaseUrl: string, main: Seeded, url: string): Promise<Furnished> {
  const ctx = systemContext(main.organizationId, "bench");
  const ownerId = main.userIds[0]!;
  const make = (title: string) =>
    createContract(ctx, {
      ...{ title, type: "MSA", ourRole: "CUSTOMER", ownerId, counterpartyId: main.counterpartyIds[0]! },
      ...{ effectiveDate: new Date(), termMonths: 24, valueCents: 1_250_000n },
    });
  const workspace: Workspace = {
    ...{ organizationId: main.organizationId, ownerId, ctx },
    contract: ({ title } = {}) => make(String(title)),
  };
  const cookies = await signIn(databaseUrl, ownerId, url);
  const shown = await somethingToShow(workspace, main.counterpartyIds[0]!);
  await addToContract(workspace, shown.contractId);
  const long = () =>
    contractPdf(ceremonyPages).then((bytes) =>
      requestOf(workspace, bytes, ceremonyPages, [
        { pageIndex: 0, xPct: 10, yPct: 80, wPct: 30, hPct: 6 },
        { pageIndex: ceremonyPages - 1, xPct: 10, yPct: 80, wPct: 30, hPct: 6 },
      ]),
    );
  const [first, agreed] = [await long(), await long()];
  const agreedLink = await linkOf(workspace, agreed);
  await (await visitBy(`${url}${agreedLink}`)).agree();
  return {
    ...shown,
    cookies,
    longContractId: await longContract(workspace),
    ceremony: { first: await linkOf(workspace, first), agreed: agreedLink },
  };
}

/** Adds two more versions, and obligations. */
async function addToContract(workspace: Workspace, contractId: string): Promise<void> {
  const { ctx, organizationId } = workspace;
  for (const pages of [12, 14]) {
    const stored = await store(organizationId, await contractPdf(pages));
    const version = await addVersion(ctx, {
      ...{ contractId, source: "UPLOADED", fileName: `agreement-${pages}.pdf` },
      ...{ contentType: "application/pdf", pageCount: pages, ...stored },
    });
    await prepareVersion({ organizationId, versionId: version.id }, { attempts: 1, max_attempts: 1 });
  }
  for (let month = 1; month <= 6; month++) {
    const obligation = {
      contractId,
      kind: "REPORTING",
      title: `Report ${month}`,
      anchorType: "EFFECTIVE_DATE",
    };
    await createObligation(
      ctx,
      NewObligation.parse({ ...obligation, offsetValue: month, offsetUnit: "MONTH" }),
    );
  }
}
