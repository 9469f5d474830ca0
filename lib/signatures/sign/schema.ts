/** What a signer sends and receives. Isomorphic. */
import { z } from "zod";
import {
  choice,
  email,
  idIn,
  idOut,
  lines,
  name,
  requiredLines,
  requiredText,
  timestamp,
} from "#lib/core/wire.ts";
import { fieldTypes, signatureKinds } from "#lib/signatures/lifecycle.ts";

export const screens = [
  "not-your-turn",
  "code",
  "consent",
  "sign",
  "done",
  "declined",
  "voided",
  "expired",
  "delegated",
  "completed",
] as const;
export type Screen = (typeof screens)[number];

export const Nothing = z.strictObject({});
export const Entry = z.strictObject({ token: z.string().max(200) });
export const Code = z.strictObject({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, "must be the 6 digits of the e-mail"),
});
export const Consent = z.strictObject({ hash: z.string().max(100) });

const Value = z.strictObject({
  fieldId: idIn("field"),
  value: z
    .union([z.boolean(), lines(500)], { error: "must be text of at most 500 characters, true or false" })
    .nullable()
    .meta({ description: "true puts the adopted signature or initials there, or a check; null clears" }),
});
const values = z.array(Value).max(500, "must be at most 500");
export const Values = z.strictObject({ values });
export type Values = z.output<typeof Values>;
export const Finishing = z.strictObject({ values: values.default([]) });

/** Typed text that is rendered as handwriting: a name, initials. */
export const handwritings = ["signature", "initials"] as const;
export type Handwriting = (typeof handwritings)[number];

export const Typed = z.strictObject({ text: requiredText(100), as: choice(handwritings) });
export type Typed = z.output<typeof Typed>;

const points = z.number().positive().max(20_000);

export const PictureOf = z.strictObject({
  mark: z.string().max(100),
  box: z
    .strictObject({ width: points, height: points })
    .optional()
    .meta({ description: "The field's size in points, which a text must fit" }),
});
export type PictureOf = z.output<typeof PictureOf>;

const image = z
  .base64({ error: "must be a PNG image in base64" })
  .max(350_000, "must be at most 256 kB")
  .meta({ description: "A PNG of at most 256 kB, in base64" });

export const Adoption = z
  .strictObject({
    kind: choice(signatureKinds),
    text: requiredText(100).optional(),
    image: image.optional().meta({ description: "By default the one that was adopted before" }),
    initialsText: requiredText(10).optional(),
    initialsImage: image.optional(),
  })
  .refine(({ kind, text }) => kind !== "typed" || text !== undefined, {
    path: ["text"],
    error: "is required",
  });
export type Adoption = z.output<typeof Adoption>;

export const Declining = z.strictObject({ reason: requiredLines(500) });
export const Delegation = z.strictObject({ name, email, reason: lines(500).optional() });
export type Delegation = z.output<typeof Delegation>;

const place = { pageIndex: z.int(), xPct: z.number(), yPct: z.number(), wPct: z.number(), hPct: z.number() };

const OwnField = z
  .object({
    id: idOut("field"),
    type: z.enum(fieldTypes),
    ...place,
    required: z.boolean(),
    label: z.string().nullable(),
    options: z.array(z.string()),
    filled: z.boolean(),
    value: z.string().nullable().meta({
      description: "Null for signatures and initials; an automatic field shows what it will contain",
    }),
  })
  .meta({ id: "OwnField" });

const mark = z
  .string()
  .nullable()
  .meta({ description: "Names a picture, for the operation picture: of what will be stamped" });

const OthersField = z
  .object({
    id: idOut("field"),
    type: z.enum(fieldTypes),
    ...place,
    signerName: z.string(),
    hasSigned: z.boolean(),
    mark: mark.meta({
      description: "Null while its signer has not signed, and where nothing will be stamped",
    }),
    checked: z.boolean().nullable().meta({ description: "Of a checkbox, once its signer has signed" }),
    covers: z.boolean().meta({ description: "What the document says there is painted over" }),
  })
  .meta({ id: "OthersField" });

const Person = z.object({
  name: z.string(),
  orderIndex: z.int(),
  isYou: z.boolean(),
  hasSigned: z.boolean(),
  isOnTurn: z.boolean(),
});

/** Everything that a signer's page shows. */
export const State = z
  .object({
    screen: z.enum(screens),
    version: z.int().meta({ description: "Grows with everything that happens to the request" }),
    signer: z.object({ id: idOut("signer"), name: z.string(), email: z.string() }),
    sender: z.object({ name: z.string(), email: z.string(), workspaceName: z.string() }),
    workspace: z
      .object({ organizationId: idOut("organization"), envelopeId: idOut("envelope") })
      .nullable()
      .meta({ description: "Where the request is found, for a signer who is a member of the workspace" }),
    subject: z.string(),
    message: z.string().nullable(),
    deadline: timestamp.nullable(),
    people: z.array(Person).meta({ description: "In signing order, without those who delegated" }),
    code: z
      .object({
        address: z.string().meta({ description: "Where codes go, mostly hidden: d…a@northwind.example" }),
        sentAt: timestamp.nullable(),
        expiresAt: timestamp.nullable(),
        triesLeft: z.int(),
      })
      .nullable()
      .meta({ description: "On the screen code" }),
    consent: z
      .object({ text: z.array(z.string()), hash: z.string() })
      .nullable()
      .meta({ description: "On the screen consent: send the hash back to agree" }),
    document: z
      .object({ fileName: z.string(), pageCount: z.int().nullable(), sha256: z.string() })
      .nullable()
      .meta({ description: "On consent, sign, done and completed" }),
    fields: z.array(OwnField),
    others: z.array(OthersField),
    signature: z.object({
      kind: z.enum(signatureKinds).nullable(),
      text: z.string().nullable(),
      initialsText: z.string().nullable(),
      hasInitials: z.boolean(),
      mark,
      initialsMark: mark,
    }),
    ending: z
      .object({
        at: timestamp.nullable(),
        by: z.string().nullable(),
        isYou: z.boolean().meta({ description: "The signer declined it themselves" }),
        reason: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "On declined, voided, expired and delegated: when, by or to whom, and why" }),
  })
  .meta({ id: "CeremonyState" });

export const StateAnswer = z.object({ state: State });

const Outline = z.object({ viewBox: z.string(), path: z.string() });

export const Preview = z.object({
  outline: Outline,
  problem: z.string().nullable().meta({ description: "Why it cannot be adopted" }),
});

/** As lib/pdf stamps it: glyph outlines, or an image. */
export const Picture = z.object({
  outline: Outline.nullable(),
  png: z.string().nullable().meta({ description: "In base64" }),
  text: z.string().nullable().meta({ description: "The text of a field that is not a signature" }),
});

export const Pulse = z.object({ screen: z.enum(screens), version: z.int() });

export const DocumentUrl = z.object({
  url: z.string(),
  fileName: z.string(),
  sha256: z.string(),
  expiresInSeconds: z.int(),
});
