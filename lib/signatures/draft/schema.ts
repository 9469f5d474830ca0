/** What members send and receive about a signature request beyond the public API. Isomorphic. */
import { z } from "zod";
import {
  choice,
  clearable,
  email,
  idIn,
  idOut,
  lines,
  name,
  pathId,
  requiredLines,
  requiredText,
  text,
  timestamp,
  timestampIn,
} from "#lib/core/wire.ts";
import { fieldTypes, mailStates, signatureKinds } from "#lib/signatures/lifecycle.ts";
import { SignatureField, SignatureRequest, Signer } from "#lib/signatures/schema.ts";

export const maxSigners = 100;
export const maxFields = 500;

const subject = requiredText(200).meta({
  description: "The title in e-mails and on pages; by default the contract's title",
});
const message = clearable(lines(5000).nullable()).meta({
  description: "To the signers, in the e-mail that asks them to sign",
});
const deadline = timestampIn.nullable().meta({ description: "Until when it can be signed; null for no end" });

export const NewDraft = z.strictObject({
  contractId: idIn("contract"),
  documentVersionId: idIn("version").optional().meta({ description: "By default the contract's latest" }),
  subject: subject.optional(),
  message: message.optional(),
  deadline: deadline.optional(),
});
export type NewDraft = z.output<typeof NewDraft>;

const NewSigner = z.strictObject({
  id: idIn("signer").optional().meta({ description: "The id of an existing signer" }),
  name: name.optional().meta({ description: "By default the member's or the contact's" }),
  email: email.optional().meta({ description: "By default the member's or the contact's" }),
  userId: idIn("user").nullish(),
  counterpartyContactId: idIn("contact").nullish(),
  orderIndex: z
    .int("must be a whole number")
    .min(0, "must be at least 0")
    .max(99, "must be at most 99")
    .default(0),
  codeRequired: z.boolean().default(false).meta({ description: "Asks for a code that is sent by e-mail" }),
});
export type NewSigner = z.output<typeof NewSigner>;

const percent = z.number("must be a number").min(0, "must be at least 0").max(100, "must be at most 100");
const size = percent.gt(0, "must be more than 0");

/** A browser's rounding must not put a box off the page. */
const slack = 0.0001;

const NewField = z
  .strictObject({
    id: idIn("field").optional(),
    signerId: idIn("signer"),
    type: choice(fieldTypes),
    pageIndex: z.int("must be a whole number").min(0, "must be at least 0").max(1999, "must be at most 1999"),
    xPct: percent,
    yPct: percent,
    wPct: size,
    hPct: size,
    required: z.boolean().default(true),
    label: clearable(text(200).nullable()).optional(),
    options: z.array(requiredText(200)).max(100, "must have at most 100 options").default([]),
    coversText: z.boolean().default(false),
  })
  .refine(({ xPct, wPct }) => xPct + wPct <= 100 + slack, {
    path: ["wPct"],
    error: "leaves the page on the right",
  })
  .refine(({ yPct, hPct }) => yPct + hPct <= 100 + slack, {
    path: ["hPct"],
    error: "leaves the page at the bottom",
  })
  .refine(({ type, options }) => type !== "DROPDOWN" || options.length > 0, {
    path: ["options"],
    error: "needs at least one option",
  });
export type NewField = z.output<typeof NewField>;

/** Across all fields: every signer's page loads them. */
const maxOptions = 5_000;

const hasFewOptions = (fields: NewField[]) =>
  fields.reduce((sum, { options }) => sum + options.length, 0) <= maxOptions;

export const DraftPatch = z.strictObject({
  envelopeId: pathId("envelope"),
  updatedAt: timestampIn.optional().meta({
    description: "When the draft that was read had been changed last: refused if it has changed since",
  }),
  documentVersionId: idIn("version").optional(),
  subject: subject.optional(),
  message: message.optional(),
  deadline: deadline.optional(),
  signers: z.array(NewSigner).max(maxSigners, `must be at most ${maxSigners}`).optional().meta({
    description: "All of them: a signer who is left out is removed, with their fields",
  }),
  fields: z
    .array(NewField)
    .max(maxFields, `must be at most ${maxFields}`)
    .refine(hasFewOptions, {
      error: `must have at most ${maxOptions} options in all`,
    })
    .optional()
    .meta({
      description: "All of them: a field that is left out is removed",
    }),
});
export type DraftPatch = z.output<typeof DraftPatch>;

export const EnvelopeId = z.strictObject({ envelopeId: pathId("envelope") });
export const SignerId = z.strictObject({ envelopeId: pathId("envelope"), signerId: idIn("signer") });
export type SignerId = z.output<typeof SignerId>;

export const Reminder = z.strictObject({
  envelopeId: pathId("envelope"),
  signerId: idIn("signer").optional().meta({ description: "By default all whose turn it is" }),
});
export type Reminder = z.output<typeof Reminder>;

export const Correction = z.strictObject({
  envelopeId: pathId("envelope"),
  signerId: idIn("signer"),
  name: name.optional(),
  email: email.optional(),
});
export type Correction = z.output<typeof Correction>;

export const Extension = z.strictObject({ envelopeId: pathId("envelope"), deadline: timestampIn });
export type Extension = z.output<typeof Extension>;

export const Voiding = z.strictObject({ envelopeId: pathId("envelope"), reason: requiredLines(500) });
export type Voiding = z.output<typeof Voiding>;

const Mail = z
  .object({
    template: z.string(),
    address: z.string(),
    state: z
      .enum(mailStates)
      .meta({ description: "SENT: the mail server accepted it; nothing more is known" }),
    attempts: z.int(),
    error: z.string().nullable().meta({ description: "What the mail server said last" }),
    createdAt: timestamp,
    sentAt: timestamp.nullable(),
  })
  .meta({ id: "SigningMail" });

const WatchedSigner = Signer.extend({
  codeRequired: z.boolean(),
  isMember: z.boolean().meta({ description: "A member of the workspace, by their address at least" }),
  notifiedAt: timestamp.nullable(),
  remindedAt: timestamp.nullable(),
  reminderCount: z.int(),
  declineReason: z.string().nullable(),
  delegatedAt: timestamp.nullable(),
  delegatedToId: idOut("signer").nullable(),
  delegateReason: z.string().nullable(),
  signatureKind: z.enum(signatureKinds).nullable(),
  mails: z.array(Mail).meta({ description: "The newest first" }),
}).meta({ id: "WatchedSigner" });

const PlacedField = SignatureField.extend({
  label: z.string().nullable(),
  options: z.array(z.string()),
  coversText: z.boolean().meta({ description: "It is on a tag of the document, which it paints over" }),
}).meta({ id: "PlacedField" });

/** A signature request as members of the workspace see it. */
export const WatchedRequest = SignatureRequest.extend({
  subject: z.string(),
  message: z.string().nullable(),
  deadline: timestamp.nullable(),
  sentById: idOut("user").nullable(),
  sentAt: timestamp.nullable(),
  declinedAt: timestamp.nullable(),
  voidedAt: timestamp.nullable(),
  voidReason: z.string().nullable(),
  expiredAt: timestamp.nullable(),
  pageCount: z.int().nullable(),
  pdfState: z.enum(["PENDING", "READY", "FAILED"]).meta({ description: "Of the version's PDF" }),
  sealing: z
    .object({
      attempts: z.int(),
      error: z.string().nullable(),
      triedAt: timestamp.nullable(),
      nextAttemptAt: timestamp.nullable(),
    })
    .nullable()
    .meta({ description: "While it is SEALING: the progress" }),
  signers: z.array(WatchedSigner),
  fields: z.array(PlacedField),
}).meta({ id: "WatchedRequest" });

export const Watched = z.object({ envelope: WatchedRequest });

const Finding = z.object({ path: z.string(), message: z.string() });
export const Findings = z.object({
  errors: z.array(Finding).meta({ description: "What must be fixed before it can be sent" }),
  warnings: z.array(Finding).meta({ description: "What deserves a second look" }),
  isBeingRead: z.boolean().meta({ description: "The document is still being read for blanks: ask again" }),
});
export type Findings = z.output<typeof Findings>;

export const CopiedLink = z.object({ url: z.string() });
export const PlacedAnchors = Watched.extend({
  placed: z.int().meta({ description: "How many fields were placed on the document's tags" }),
  unknown: z.array(z.string()).meta({ description: "Tags that name no signer of the request" }),
});
