/** Fixtures for signing tests: a member, a contract with a PDF, requests in any state, and signers' browsers. */
import "#lib/events/listen.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { addVersion } from "#lib/contracts/versions.ts";
import { changeUnaudited } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import { execute } from "#lib/core/execute.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { type Role, scopesOf } from "#lib/core/scopes.ts";
import { PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { createSigningKey, describeCertificate } from "#lib/documents/seal/signing-key.ts";
import { createLink } from "#lib/signatures/links.ts";
import { sending } from "#lib/signatures/send/operations.ts";
import { ceremony } from "#lib/signatures/sign/operations.ts";
import { findVisit, openVisit } from "#lib/signatures/sign/sessions.ts";
import { store } from "#lib/storage/store.ts";
import type { Workspace as Full } from "./fixtures.ts";
import { textsIn } from "./outbox.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

/** The parts of a workspace that signing needs. */
export type Workspace = Pick<Full, "organizationId" | "ownerId" | "ctx" | "contract">;

/** Returns the context of a member of the workspace at a point in time. */
export function memberOf(workspace: Workspace, { role = "owner" as Role, now = new Date() } = {}): Context {
  return {
    ...workspace.ctx,
    actor: { kind: "user", id: workspace.ownerId, name: "Olive Owner", email: "olive@test.example", role },
    scopes: scopesOf[role],
    now,
  };
}

export async function pdf(pages = 2): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page++) {
    // Makes every document unique.
    document.addPage().drawText(`Page ${page + 1} ${randomUUID()}`, { x: 72, y: 700 });
  }
  return document.save();
}

/** Creates a contract with one PDF. */
export async function contractWithPdf(workspace: Workspace, bytes?: Uint8Array, pageCount = 2) {
  const contract = await workspace.contract({ title: "Master services agreement" });
  const stored = await store(workspace.organizationId, bytes ?? (await pdf()));
  const version = await addVersion(workspace.ctx, {
    ...{ contractId: contract.id, source: "UPLOADED", fileName: "agreement.pdf" },
    ...{ contentType: "application/pdf", pageCount, ...stored },
  });
  return { contract, version };
}

/** Returns the mails to an address that are in the outbox, oldest first. */
export async function mailsTo(address: string, subject = /./): Promise<string[]> {
  return (await textsIn()).filter((text) => text.includes(address) && subject.test(text));
}

/** A signer: a person by name, or a member of the workspace. */
export type Person = ({ name: string } | { userId: string; name?: string }) & {
  email?: string;
  orderIndex?: number;
  codeRequired?: boolean;
};

const place = { wPct: 30, hPct: 6 };

/** Returns the fields of a signer in these tests; all but one of them are required. */
export const fieldsOf = (signerId: string, index: number) => [
  { signerId, type: "SIGNATURE", pageIndex: 0, xPct: 5, yPct: 5 + index * 8, ...place },
  {
    signerId,
    type: "TEXT",
    pageIndex: 0,
    xPct: 40,
    yPct: 5 + index * 8,
    ...place,
    label: "Title of the post",
  },
  { signerId, type: "DATE_SIGNED", pageIndex: 1, xPct: 5, yPct: 5 + index * 8, ...place },
  { signerId, type: "CHECKBOX", pageIndex: 1, xPct: 40, yPct: 5 + index * 8, ...place, required: false },
];

/** Runs a member's operation by its name; returns its result. */
export const asMember = (ctx: Context, name: keyof typeof sending, input: object): Promise<Json> =>
  execute(sending[name] as AnyOperation, ctx, input);

/** Creates a draft with these signers and their fields. */
export async function draft(workspace: Workspace, people: Person[], more: object = {}): Promise<Json> {
  const ctx = memberOf(workspace);
  const { contract } = await contractWithPdf(workspace);
  const { envelope } = await asMember(ctx, "createDraft", { contractId: contract.id, ...more });
  const signers = people.map((person) => ({ email: `${randomUUID()}@signers.example`, ...person }));
  const { envelope: withSigners } = await asMember(ctx, "updateDraft", { envelopeId: envelope.id, signers });
  const fields = withSigners.signers.flatMap(({ id }: { id: string }, index: number) => fieldsOf(id, index));
  return (await asMember(ctx, "updateDraft", { envelopeId: envelope.id, fields })).envelope;
}

/** Creates such a draft and sends it. */
export async function sent(workspace: Workspace, people: Person[], more: object = {}): Promise<Json> {
  const { id } = await draft(workspace, people, more);
  return (await asMember(memberOf(workspace), "send", { envelopeId: id })).envelope;
}

/** Makes sealing fail in a workspace: its newest key cannot be read. The returned function undoes this. */
export async function withoutKey({ organizationId }: Workspace): Promise<() => Promise<void>> {
  const { signingKey } = database().prisma;
  const id = randomUUID();
  const { certificates } = createSigningKey({ organizationId, organizationName: "Test", at: new Date() });
  const { fingerprint } = describeCertificate(certificates[0]!);
  await signingKey.create({
    data: {
      ...{ organizationId, id, fingerprint, createdAt: new Date() },
      certificates: certificates.map((certificate) => new Uint8Array(certificate)),
      privateKey: new Uint8Array(randomBytes(64)),
    },
  });
  return async () => {
    const where = { organizationId_id: { organizationId, id } };
    await signingKey.update({ where, data: { privateKey: null } });
  };
}

/** Creates a request that everyone has signed and that could not be sealed. */
export async function unsealed(workspace: Workspace, people: Person[] = [{ name: "Ann" }]): Promise<Json> {
  const envelope = await sent(workspace, people);
  await withoutKey(workspace);
  for (const index of people.keys()) await (await signerAt(workspace, envelope, index)).sign();
  const progress = async () =>
    (await asMember(memberOf(workspace), "progress", { envelopeId: envelope.id })).envelope;
  await expect.poll(async () => (await progress()).sealing.error, { timeout: 60_000 }).toBeTruthy();
  return progress();
}

/** Creates a request for one signer, with the given document and fields. */
export async function requestOf(
  workspace: Workspace,
  bytes: Uint8Array,
  pageCount: number,
  places: object[],
) {
  const ctx = memberOf(workspace);
  const { contract } = await contractWithPdf(workspace, bytes, pageCount);
  const { envelope } = await asMember(ctx, "createDraft", { contractId: contract.id });
  const signers = [{ name: "Ann Ames", email: `${randomUUID()}@signers.example`, orderIndex: 0 }];
  const saved = await asMember(ctx, "updateDraft", { envelopeId: envelope.id, signers });
  const signerId = saved.envelope.signers[0].id;
  const fields = places.map((place) => ({ signerId, type: "SIGNATURE", ...place }));
  await asMember(ctx, "updateDraft", { envelopeId: envelope.id, fields });
  return (await asMember(ctx, "send", { envelopeId: envelope.id })).envelope;
}

/** Returns a new link for a signer, as in their e-mail. */
async function urlFor(workspace: Workspace, envelope: Json, index: number): Promise<string> {
  const ctx = { ...workspace.ctx, now: new Date() };
  const { url } = await changeUnaudited(ctx, (tx) => createLink(tx, ctx, envelope.signers[index].id));
  return url;
}

/** Returns a signer's browser, without HTTP, that entered by a new link. */
export async function signerAt(workspace: Workspace, envelope: Json, index = 0) {
  return visitBy(await urlFor(workspace, envelope, index));
}

const visit = (now = new Date()) => ({
  requestId: "test",
  ip: "203.0.113.7",
  userAgent: "Test browser",
  now,
});

/** Returns the path of a new link for a signer. */
export async function linkOf(workspace: Workspace, envelope: Json, index = 0): Promise<string> {
  return new URL(await urlFor(workspace, envelope, index)).pathname;
}

export async function visitBy(url: string) {
  const { ctx, cookie } = await openVisit(url.split("/").at(-1)!, visit());
  const act = async (name: keyof typeof ceremony, input: object = {}, now?: Date): Promise<Json> => {
    const context = await findVisit(ctx.actor.id, cookie, visit(now));
    return execute(ceremony[name] as AnyOperation, context, input);
  };
  const state = async () => (await act("state")).state;
  return {
    act,
    state,
    cookie,
    async agree() {
      const { consent } = await state();
      await act("consent", { hash: consent.hash });
      return (await act("adoptSignature", { kind: "typed", text: "A. Signer" })).state;
    },
    /** Does everything before the last click. */
    async fill() {
      const { fields } = await this.agree();
      const values = fields.flatMap(({ id, type }: { id: string; type: string }) => {
        if (type === "SIGNATURE") return [{ fieldId: id, value: true }];
        return type === "TEXT" ? [{ fieldId: id, value: "Head of purchasing" }] : [];
      });
      await act("saveValues", { values });
    },
    async sign() {
      await this.fill();
      return (await act("finish")).state;
    },
  };
}
