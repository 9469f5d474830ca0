import { z } from "zod";
import { operation, visitorOperation } from "#lib/core/operation.ts";
import { pathId } from "#lib/core/wire.ts";
import {
  ContractEnvelopeQuery,
  EnvelopeAnswer,
  EnvelopePage,
  EnvelopeQuery,
  PdfDescriptor,
  PdfQuery,
  SigningEventPage,
  SigningEventQuery,
  VerificationAnswer,
  VerificationRequest,
} from "#lib/signatures/schema.ts";
import { checkUpload, sealedField } from "#lib/signatures/verify/verification.ts";
import { findEnvelope, listEnvelopes, listSigningEvents } from "./envelopes.ts";
import { describePdf } from "./pdf.ts";

/** Enough to recompute the chain from the API's responses alone. */
const chainInWords = `Newest first; \`dir=asc\` returns them in the order of their chain.

The events of a request are a hash chain that anyone can recompute. The hash of an event is
\`sha256(before || text)\` in hex, where \`before\` is the 32 bytes of the hash before it (\`prevHash\`; for the first
event, sha256 of the request's id) and \`text\` is, in UTF-8, a JSON array of eleven strings or nulls that are
separated by a comma and a space: organization id (of \`GET /me\`), \`envelopeId\`, the event's number counted from
"1", \`id\`, \`signerId\`, \`type\`, \`actor\`, \`ipAddress\`, \`userAgent\`, \`details\`, \`createdAt\`. There \`actor\` and
\`details\` are themselves JSON texts without spaces, with their names in the order in which they are answered.`;

export const signatures = {
  list: operation({
    summary: "List signature requests",
    description: "Read-only: people send signature requests, in the web app.",
    scopes: ["signatures:read"],
    input: EnvelopeQuery,
    output: EnvelopePage,
    errors: [],
    run: (ctx, input) => listEnvelopes(ctx, input),
  }),
  listOfContract: operation({
    summary: "List a contract's signature requests",
    scopes: ["signatures:read"],
    input: ContractEnvelopeQuery,
    output: EnvelopePage,
    errors: ["not_found"],
    run: (ctx, { id, ...input }) => listEnvelopes(ctx, input, id),
  }),
  read: operation({
    summary: "Retrieve a signature request",
    scopes: ["signatures:read"],
    input: z.object({ envelopeId: pathId("envelope") }),
    output: EnvelopeAnswer,
    errors: ["not_found"],
    run: async (ctx, { envelopeId }) => ({ envelope: await findEnvelope(ctx, envelopeId) }),
  }),
  events: operation({
    summary: "List a signature request's events",
    description: chainInWords,
    scopes: ["signatures:read"],
    input: SigningEventQuery,
    output: SigningEventPage,
    errors: ["not_found"],
    run: listSigningEvents,
  }),
  pdf: operation({
    summary: "Get a link to a signature request's PDF",
    description:
      "The signed one once the request has completed, and the unsigned one until then. Each request for a link is logged.",
    scopes: ["signatures:read"],
    input: PdfQuery,
    output: PdfDescriptor,
    errors: ["not_found", "signed_pdf_not_ready", "unsigned_pdf_not_ready"],
    run: describePdf,
  }),
};

/** Anyone may verify a PDF. */
export const verification = {
  check: visitorOperation({
    summary: "Check a signed and sealed PDF",
    description: "Each check with its result. The file is not kept.",
    input: VerificationRequest,
    file: sealedField,
    output: VerificationAnswer,
    errors: [],
    run: (visitor, _input, file) => checkUpload(visitor, file),
  }),
};
