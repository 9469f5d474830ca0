/**
 * What a sealed document says about itself: printed on its certificate pages, and embedded for machines as
 * `countersign-evidence.json`. The seal covers both.
 */
import { z } from "zod";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const time = z.iso.datetime();
const person = z.object({ name: z.string().nullable(), email: z.string().nullable() });

export const EvidenceSigner = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  party: z.enum(["ORG_USER", "COUNTERPARTY_CONTACT", "EXTERNAL"]),
  orderIndex: z.int(),
  status: z.string(),
  viewedAt: time.nullable(),
  consentAt: time.nullable(),
  /** Of the text that was shown and agreed to. */
  consentSha256: sha256.nullable(),
  signedAt: time.nullable(),
  signedName: z.string().nullable(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  /**
   * How the address was verified: by the link sent to it, by an additional code, by the signer's session, or only by
   * the sender, who copied a link to hand over.
   */
  verifiedBy: z.enum(["EMAIL_LINK", "EMAIL_CODE", "SENDER", "SESSION"]),
  delegatedTo: person.nullable(),
  delegatedFrom: person.nullable(),
});
export type EvidenceSigner = z.output<typeof EvidenceSigner>;

export const EvidenceEvent = z.object({
  id: z.string(),
  type: z.string(),
  at: time,
  actor: z.object({ kind: z.string(), id: z.string().nullable(), ...person.shape }),
  signerId: z.string().nullable(),
  ipAddress: z.string().nullable(),
  userAgent: z.string().nullable(),
  details: z.record(z.string(), z.json()).nullable(),
  prevHash: sha256.nullable(),
  hash: sha256,
});
export type EvidenceEvent = z.output<typeof EvidenceEvent>;

export const Evidence = z.object({
  version: z.literal(1),
  organization: z.object({ id: z.string(), name: z.string() }),
  envelope: z.object({
    id: z.string(),
    contractId: z.string(),
    title: z.string(),
    sentAt: time.nullable(),
    sentBy: person.nullable(),
    /** When the last signer signed. */
    completedAt: time,
  }),
  document: z.object({
    versionId: z.string(),
    fileName: z.string(),
    /** The version as stored, and its PDF that everyone was shown. */
    sha256,
    pdfSha256: sha256,
    /** The PDF with everything filled in, before these pages and the seal were added. */
    stampedSha256: sha256,
  }),
  /** In signing order, including those who delegated. */
  signers: z.array(EvidenceSigner),
  /** From the first to the last before sealing; each carries the previous one's hash. */
  events: z.array(EvidenceEvent),
  /** The head of the workspace's audit log when sealing began. */
  checkpoint: z.object({ seq: z.string(), hash: sha256, at: time }).nullable(),
});
export type Evidence = z.output<typeof Evidence>;

/** What is known before the document is stamped. */
export type UnsealedEvidence = Omit<Evidence, "document"> & {
  document: Omit<Evidence["document"], "stampedSha256">;
};
