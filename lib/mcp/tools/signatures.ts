/** The tools that show the progress of signature requests. Only people send, remind and void. */
import { z } from "zod";
import { idIn } from "#lib/core/wire.ts";
import { signatures } from "#lib/signatures/requests/operations.ts";
import { EnvelopeQuery, type SignatureRequest } from "#lib/signatures/schema.ts";
import { Budget, takeFitting } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { counted, day, joined, titled, words } from "../answers/words.ts";
import { cursor, pageWith, paginate, pagingFields, startOf } from "./paging.ts";
import { tool } from "./tool.ts";

const RequestLine = z.object({
  id: z.string(),
  contractId: z.string(),
  contractTitle: z.string(),
  status: z.string(),
  createdAt: z.string(),
  completedAt: z.string().nullable(),
  signedCount: z.int(),
  totalSigners: z.int(),
  waitingFor: z.string().nullable(),
  link: z.string(),
});

function requestFrom(request: z.output<typeof SignatureRequest>) {
  const { progress, contract } = request;
  return {
    ...request,
    contractTitle: contract.title,
    signedCount: progress.signedCount,
    totalSigners: progress.totalSigners,
    waitingFor: progress.awaitingSigner?.name ?? null,
    link: linkTo.signatureRequest(request.id),
  };
}

function requestLine(request: z.output<typeof RequestLine>): string {
  const { id, contractTitle, status, createdAt, completedAt, link } = request;
  const { signedCount, totalSigners, waitingFor } = request;
  const what = joined(
    words(status),
    `${signedCount} of ${totalSigners} signed`,
    waitingFor && status !== "DRAFT" && `waiting for ${titled(waitingFor)}`,
    completedAt ? `completed ${day(completedAt)}` : `created ${day(createdAt)}`,
  );
  return `- ${titled(contractTitle)}: ${what}. ${id} ${link}`;
}

const { page: _, pageSize: __, ...filters } = EnvelopeQuery.shape;
const pageSize = 25;

export const listSignatureRequests = tool({
  name: "list_signature_requests",
  title: "List signature requests",
  description:
    "Lists signature requests with how many have signed and who is awaited; of one contract with contractId.",
  uses: [signatures.list, signatures.listOfContract],
  input: z.strictObject({ contractId: idIn("contract").optional(), ...filters, cursor }),
  output: z.object({ total: z.int(), signatureRequests: z.array(RequestLine), ...pagingFields }),
  async run(caller, { cursor: at, contractId, ...query }) {
    const start = startOf(at);
    const { page, skip } = pageWith(start, pageSize);
    const { data, total } =
      contractId === undefined
        ? await caller.ask(signatures.list, { ...query, page, pageSize })
        : await caller.ask(signatures.listOfContract, { ...query, id: contractId, page, pageSize });
    const items = data.slice(skip).map(requestFrom);
    const list = paginate({ items, start, total, lineOf: requestLine, rowOf: RequestLine.parse });
    return {
      data: { total, signatureRequests: list.items, ...list.more },
      text: `${counted(total, "signature request")}.\n${list.text}${list.note}`,
    };
  },
});

const SignerLine = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  party: z.string(),
  orderIndex: z.int(),
  status: z.string(),
  viewedAt: z.string().nullable(),
  signedAt: z.string().nullable(),
  declinedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
});

export const getSignatureRequest = tool({
  name: "get_signature_request",
  title: "Get a signature request",
  description: "Gets a signature request with each signer's progress and the document that is signed.",
  uses: [signatures.read],
  input: z.strictObject({ signatureRequestId: idIn("envelope") }),
  output: z.object({
    signatureRequest: RequestLine,
    documentVersionId: z.string(),
    signedVersionId: z.string().nullable(),
    signers: z.array(SignerLine),
    signerCount: z.int(),
    truncated: z.boolean(),
  }),
  async run(caller, { signatureRequestId: envelopeId }) {
    const { envelope } = await caller.ask(signatures.read, { envelopeId });
    const request = requestFrom(envelope);
    const line = requestLine(request);
    const budget = new Budget();
    budget.take(line, line, line);
    const { items, lines } = takeFitting(budget, envelope.signers, signerLine, SignerLine.parse);
    const others = envelope.signers.length - items.length;
    return {
      data: {
        signatureRequest: request,
        documentVersionId: envelope.documentVersionId,
        signedVersionId: envelope.signedVersionId,
        signers: items,
        signerCount: envelope.signers.length,
        truncated: others > 0,
      },
      text: [
        line,
        ...lines,
        others > 0 ? `and ${counted(others, "more signer")}, which the web app shows.` : "",
      ].join("\n"),
    };
  },
});

function signerLine({ name, email, status, signedAt, declinedAt, expiresAt }: z.output<typeof SignerLine>) {
  const what = joined(
    words(status),
    signedAt && `signed ${day(signedAt)}`,
    declinedAt && `declined ${day(declinedAt)}`,
    expiresAt && `until ${day(expiresAt)}`,
  );
  return `- ${titled(name)}, ${email}: ${what}`;
}
