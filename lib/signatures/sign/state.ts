/** What a signer's page shows: one of ten screens and its contents. */
import { type Context, own } from "#lib/core/context.ts";
import { db } from "#lib/core/db.ts";
import { automaticTypes, signersOnTurn } from "../lifecycle.ts";
import { keyOf, markOf, shownIn } from "../marks.ts";
import { senderOf } from "../notices.ts";
import { type EnvelopeRow, findRow, type SignerRow, signerOf, withoutMark } from "../rows.ts";
import { maxCodeAttempts } from "./codes.ts";
import { consentHash, consentText } from "./consent.ts";
import type { Screen } from "./schema.ts";
import { isLocked, screenOf, showsDocument } from "./screens.ts";
import { envelopeIdOf, requireSigner, visitOf } from "./turn.ts";
import { automaticValue } from "./values.ts";

type Visit = Awaited<ReturnType<typeof visitOf>>;

/** The signer, their envelope (as just read, if given), their visit, and the resulting screen. */
export async function loadScreen(ctx: Context, found?: EnvelopeRow) {
  const row = found ?? (await findRow(ctx, await envelopeIdOf(ctx)));
  const signer = signerOf(row, requireSigner(ctx).id);
  const visit = await visitOf(ctx);
  return { row, signer, visit, screen: screenOf(row, signer, visit, ctx.now) };
}

/** What a page polls every few seconds: has anything changed? Reads no fields. */
export async function pulse(ctx: Context) {
  const { id } = requireSigner(ctx);
  const [signer, visit] = await Promise.all([
    db.signer.findUniqueOrThrow({
      where: { organizationId_id: { ...own(ctx), id } },
      include: { envelope: { include: { signers: true } } },
    }),
    visitOf(ctx),
  ]);
  const { envelope } = signer;
  return { screen: screenOf(envelope, signer, visit, ctx.now), version: envelope.eventCount };
}

/**
 * Everything the page needs. Where a code is required, the link alone reveals only who is asking whom, the request's
 * title and its status. `found`: the envelope as returned by an action just performed.
 */
export async function findState(ctx: Context, found?: EnvelopeRow) {
  const { row, signer, visit, screen } = await loadScreen(ctx, found);
  const { senderName, senderEmail, workspaceName } = await senderOf(db, row);
  const shown = showsDocument(screen);
  const locked = isLocked(signer, visit);
  return {
    state: {
      screen,
      version: row.eventCount,
      signer: locked ? { ...signer, email: hidden(signer.email) } : signer,
      sender: { name: senderName, email: senderEmail, workspaceName },
      workspace: signer.userId === null ? null : { organizationId: row.organizationId, envelopeId: row.id },
      subject: row.subject,
      message: locked ? null : row.message,
      deadline: row.deadline,
      people: locked ? [] : peopleOf(row, signer),
      code: screen === "code" ? codeOf(signer, visit, ctx.now) : null,
      consent: screen === "consent" ? { text: [...consentText], hash: consentHash } : null,
      document: shown ? await documentOf(ctx, row) : null,
      fields: shown ? ownFields(row, signer, ctx.now) : [],
      others: shown ? othersFields(row, signer) : [],
      signature: locked ? noSignature : signatureOf(signer),
      ending: endingOf(row, signer, screen, locked),
    },
  };
}

function signatureOf(signer: SignerRow) {
  return {
    kind: signer.signatureKind,
    text: signer.signatureText,
    initialsText: signer.initialsText,
    hasInitials: signer.initialsText !== null || signer.initialsSha256 !== null,
    mark: keyOf(signer, markOf(signer, "SIGNATURE")),
    initialsMark: keyOf(signer, markOf(signer, "INITIALS")),
  };
}

const noSignature = {
  ...{ kind: null, text: null, initialsText: null },
  ...{ hasInitials: false, mark: null, initialsMark: null },
};

function peopleOf(row: EnvelopeRow, signer: SignerRow) {
  const turn = signersOnTurn(row);
  return row.signers
    .filter(({ delegatedAt }) => !delegatedAt)
    .map((person) => ({
      name: person.name,
      orderIndex: person.orderIndex,
      isYou: person.id === signer.id,
      hasSigned: person.signedAt !== null,
      isOnTurn: turn.includes(person),
    }));
}

/** `d…a@northwind.example`: enough to recognize the mailbox. */
const hidden = (address: string) =>
  address.replace(/^(.)(.*?)(.?)(?=@)/u, (_, first, _middle, last) => `${first}…${last}`);

function codeOf(signer: SignerRow, visit: Visit, now: Date) {
  const isGood = visit.codeHash !== null && visit.codeExpiresAt !== null && visit.codeExpiresAt > now;
  return {
    address: hidden(signer.email),
    sentAt: visit.codeSentAt,
    expiresAt: isGood ? visit.codeExpiresAt : null,
    triesLeft: isGood ? Math.max(0, maxCodeAttempts - visit.codeTries) : 0,
  };
}

async function documentOf(ctx: Context, row: EnvelopeRow) {
  const { pageCount } = await db.documentVersion.findUniqueOrThrow({
    where: { organizationId_id: { ...own(ctx), id: row.documentVersionId } },
    select: { pageCount: true },
  });
  return { fileName: row.documentVersion.fileName, pageCount, sha256: row.pdfSha256 ?? "" };
}

function ownFields(row: EnvelopeRow, signer: SignerRow, now: Date) {
  return row.fields
    .filter(({ signerId }) => signerId === signer.id)
    .map((field) =>
      automaticTypes.has(field.type) && !field.filled
        ? { ...field, value: automaticValue(field.type, signer, now) }
        : withoutMark(field),
    );
}

/** Values of other signers stay hidden until those have signed. */
function othersFields(row: EnvelopeRow, signer: SignerRow) {
  return row.fields
    .filter(({ signerId }) => signerId !== signer.id)
    .map((field) => {
      const other = signerOf(row, field.signerId);
      const shown = other.signedAt ? shownIn(field, other) : null;
      return {
        ...field,
        signerName: other.name,
        hasSigned: other.signedAt !== null,
        mark: shown && !("checked" in shown) ? keyOf(other, shown) : null,
        checked: shown && "checked" in shown ? shown.checked : null,
        covers: field.coversText,
      };
    });
}

function endingOf(row: EnvelopeRow, signer: SignerRow, screen: Screen, locked: boolean) {
  const ending = wholeEndingOf(row, signer, screen);
  return ending && locked ? { ...ending, by: null, reason: null } : ending;
}

function wholeEndingOf(row: EnvelopeRow, signer: SignerRow, screen: Screen) {
  if (screen === "delegated") {
    const to = row.signers.find(({ id }) => id === signer.delegatedToId);
    return { at: signer.delegatedAt, by: to?.name ?? null, isYou: false, reason: null };
  }
  if (screen === "declined") {
    const by = row.signers.find(({ declinedAt }) => declinedAt);
    const isYou = by?.id === signer.id;
    return { at: row.declinedAt, by: by?.name ?? null, isYou, reason: by?.declineReason ?? null };
  }
  if (screen === "voided") return { at: row.voidedAt, by: null, isYou: false, reason: row.voidReason };
  return screen === "expired" ? { at: row.deadline, by: null, isYou: false, reason: null } : null;
}
