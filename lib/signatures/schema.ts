import { z } from "zod";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import {
  choice,
  direction,
  idOut,
  page,
  pageOf,
  pathId,
  searchText,
  timestamp,
  wholeNumber,
} from "#lib/core/wire.ts";
import { envelopeStatuses, fieldTypes, parties, signerStatuses, signingEventTypes } from "./lifecycle.ts";

const sha256 = z.string().meta({ description: "In lower-case hex" });

const VersionSummary = z.object({
  id: idOut("version"),
  versionNumber: z.int().meta({ example: 1 }),
  fileName: z.string().meta({ example: "master-services-agreement.pdf" }),
});

export const Signer = z
  .object({
    id: idOut("signer"),
    envelopeId: idOut("envelope"),
    userId: idOut("user").nullable(),
    counterpartyContactId: idOut("contact").nullable(),
    name: z.string(),
    email: z.string().meta({ example: "dana@northwind.example" }),
    party: z.enum(parties),
    orderIndex: z.int().meta({ description: "Equal numbers sign in parallel; lower ones sign first" }),
    status: z.enum(signerStatuses),
    expiresAt: timestamp.nullable(),
    viewedAt: timestamp.nullable(),
    consentAt: timestamp.nullable(),
    signedAt: timestamp.nullable(),
    declinedAt: timestamp.nullable(),
    signedName: z.string().nullable(),
    signedIp: z.string().nullable(),
    signedUserAgent: z.string().nullable(),
  })
  .meta({ id: "Signer" });

const percent = z.number().min(0).max(100).meta({ example: 12.5 });

export const SignatureField = z
  .object({
    id: idOut("field"),
    envelopeId: idOut("envelope"),
    signerId: idOut("signer"),
    type: z.enum(fieldTypes),
    pageIndex: z.int().meta({ description: "Starts at 0" }),
    xPct: percent,
    yPct: percent,
    wPct: percent,
    hPct: percent,
    required: z.boolean(),
    filled: z.boolean().meta({ description: "False until the signer has signed" }),
    value: z.string().nullable().meta({
      description: "Null until the signer has signed, and always for SIGNATURE and INITIALS",
    }),
  })
  .meta({ id: "SignatureField" });

export const SignatureRequest = z
  .object({
    id: idOut("envelope"),
    contractId: idOut("contract"),
    contract: z.object({ id: idOut("contract"), title: z.string(), status: z.enum(contractStatuses) }),
    status: z.enum(envelopeStatuses),
    documentVersionId: idOut("version"),
    documentVersion: VersionSummary,
    signedVersionId: idOut("version").nullable(),
    signedVersion: VersionSummary.nullable(),
    documentSnapshotHash: sha256.nullable(),
    pdfSha256: sha256.nullable(),
    hasUnsignedPdf: z.boolean(),
    createdById: idOut("user"),
    completedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    progress: z.object({
      totalSigners: z.int().meta({ description: "Without those who delegated" }),
      signedCount: z.int(),
      declinedCount: z.int(),
      awaitingCount: z.int(),
      awaitingSigner: z
        .object({ id: idOut("signer"), name: z.string(), email: z.string(), party: z.enum(parties) })
        .nullable()
        .meta({ description: "The one with the lowest orderIndex who has not acted" }),
      lastSignedAt: timestamp.nullable(),
    }),
    signers: z.array(Signer),
    fields: z.array(SignatureField),
  })
  .meta({ id: "SignatureRequest", description: "A signature request, also called envelope." });

export const SigningEvent = z
  .object({
    id: idOut("signingEvent"),
    envelopeId: idOut("envelope"),
    signerId: idOut("signer").nullable(),
    type: z.enum(signingEventTypes),
    actor: z.object({
      kind: z.enum(["USER", "SIGNER", "API_KEY", "SYSTEM"]),
      id: z.string().nullable(),
      name: z.string().nullable(),
      email: z.string().nullable(),
    }),
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    details: z.record(z.string(), z.json()).nullable(),
    prevHash: sha256.nullable(),
    hash: sha256,
    createdAt: timestamp,
  })
  .meta({ id: "SigningEvent" });

const pageSize = wholeNumber("must be a whole number of at least 1", 100)
  .default(25)
  .meta({ description: "Rows per page; values above 100 are clamped to 100" });

const listing = {
  q: searchText.meta({
    description: "Searches the contract's title and the signers' names and e-mail addresses, ignoring case",
  }),
  status: z.array(choice(envelopeStatuses)).optional(),
  sort: choice(["createdAt", "updatedAt", "completedAt"]).default("createdAt"),
  dir: direction,
  page,
  pageSize,
};

export const EnvelopeQuery = z.object(listing);
export const ContractEnvelopeQuery = z.object({ id: pathId("contract"), ...listing });
export type EnvelopeQuery = z.output<typeof EnvelopeQuery>;

export const SigningEventQuery = z.object({
  envelopeId: pathId("envelope"),
  dir: direction,
  page,
  pageSize,
});
export type SigningEventQuery = z.output<typeof SigningEventQuery>;

export const EnvelopeAnswer = z.object({ envelope: SignatureRequest });
export const EnvelopePage = pageOf(SignatureRequest);
export const SigningEventPage = pageOf(SigningEvent);

export const PdfQuery = z.object({
  envelopeId: pathId("envelope"),
  variant: choice(["signed", "unsigned"]).optional().meta({
    description: "By default signed once the request has completed, and unsigned until then",
  }),
});
export type PdfQuery = z.output<typeof PdfQuery>;

export const PdfDescriptor = z
  .object({
    url: z
      .string()
      .meta({ format: "uri", description: "Works without a key until it expires, for this one file" }),
    variant: z.enum(["signed", "unsigned"]),
    versionId: idOut("version"),
    sha256,
    expiresInSeconds: z.int().meta({ example: 300 }),
  })
  .meta({ id: "PdfDescriptor" });

/** A file to verify: its name and type are ignored. */
export const VerificationRequest = z.strictObject({
  document: z.strictObject({ fileName: z.string(), contentType: z.string(), contentBase64: z.string() }),
});

/** The checks performed on a sealed PDF. */
export const checkNames = [
  "sealed",
  "whole_file",
  "unchanged",
  "signature",
  "profile",
  "certificate",
  "timestamp",
  "evidence",
  "events",
  "issued_here",
] as const;

const moment = z.string().nullable();

export const VerificationAnswer = z.object({
  verification: z.object({
    ok: z.boolean().meta({ description: "Nothing that was checked failed" }),
    sha256,
    sealedAt: moment,
    checks: z.array(
      z.object({
        name: z.enum(checkNames),
        holds: z.boolean().nullable().meta({ description: "null: there was nothing to check" }),
        says: z.string(),
      }),
    ),
    certificate: z.object({ name: z.string(), fingerprint: z.string() }).nullable(),
    evidence: z
      .object({
        organization: z.object({ name: z.string() }),
        envelope: z.object({ id: z.string(), title: z.string(), sentAt: moment, completedAt: moment }),
        document: z.object({ fileName: z.string(), sha256, pdfSha256: sha256, stampedSha256: sha256 }),
        signers: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            email: z.string(),
            status: z.string(),
            signedAt: moment,
          }),
        ),
      })
      .nullable(),
  }),
});
