/** The things that the measured pages show, made through the domain in the seeded workspace, and who looks at them. */
import "#lib/events/listen.ts";
import pg from "pg";
import { openBrowser } from "#e2e/members.ts";
import { contractPdf } from "#e2e/sealing.ts";
import { linkOf, requestOf, sent, visitBy, type Workspace } from "#e2e/signing.ts";
import { templateIn } from "#e2e/templates.ts";
import { createContract } from "#lib/contracts/create.ts";
import { prepareVersion } from "#lib/contracts/prepare.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import { systemContext } from "#lib/core/context.ts";
import { createObligation } from "#lib/obligations/obligations.ts";
import { NewObligation } from "#lib/obligations/schema.ts";
import { hashPassword } from "#lib/people/users/passwords.ts";
import { store } from "#lib/storage/store.ts";
import { createEndpoint } from "#lib/webhooks/endpoints.ts";
import { NewEndpoint } from "#lib/webhooks/schema.ts";
import type { Seeded } from "./seed.ts";

export interface Cookie {
  name: string;
  value: string;
  url: string;
}

export interface Furnished {
  /** A signed-in owner's. */
  cookies: Cookie[];
  contractId: string;
  counterpartyId: string;
  templateId: string;
  envelopeId: string;
  endpointId: string;
  /** Of a short document. */
  signing: string;
  /** Paths that open an 80-page document: for someone who comes for the first time, and who has agreed before. */
  ceremony: { first: string; agreed: string };
}

const password = "what an owner of a bench signs in with";
export const ceremonyPages = 80;

/** The environment must name the database and the folder that the server at `url` works with. */
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
  const envelope = await sent(workspace, [{ name: "Ann Ames" }, { name: "Ben Brook", orderIndex: 1 }]);
  await addToContract(workspace, envelope.contractId);
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
  const template = await templateIn(
    ctx,
    ["# The parties", "{customer} buys {goods} from {vendor}.", "# Term", "{months} months."],
    {
      name: "Supply agreement",
      contractType: "MSA",
      ourRole: "VENDOR",
    },
  );
  const { endpoint } = await createEndpoint(
    ctx,
    NewEndpoint.parse({ url: "https://receiver.example/hook", events: ["contract.created"] }),
  );
  return {
    cookies,
    contractId: envelope.contractId,
    counterpartyId: main.counterpartyIds[0]!,
    templateId: template.id,
    envelopeId: envelope.id,
    endpointId: endpoint.id,
    signing: await linkOf(workspace, envelope),
    ceremony: { first: await linkOf(workspace, first), agreed: agreedLink },
  };
}

/** Two more versions, and obligations. */
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

async function signIn(databaseUrl: string, userId: string, url: string): Promise<Cookie[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "UPDATE users SET password_hash = $2, email_verified_at = now() WHERE id = $1 RETURNING email",
    [userId, await hashPassword(password)],
  );
  await client.end();
  const browser = openBrowser(url);
  const { error } = await browser.signIn(rows[0].email, password);
  if (error) throw new Error(`The owner of the bench could not sign in: ${error}`);
  return [...browser.cookies].map(([name, value]) => ({ name, value, url }));
}
