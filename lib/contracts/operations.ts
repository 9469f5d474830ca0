import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { choice, idIn, pathId } from "#lib/core/wire.ts";
import { archiveContracts, moveContracts, tagContracts } from "./bulk.ts";
import { moveContract, patchContract, setAnchors, setCounterparty } from "./contracts.ts";
import { createWithDocument, documentField, uploadVersion } from "./documents.ts";
import { listContracts } from "./list.ts";
import { previewAnchors } from "./preview.ts";
import { compareVersions, retryVersion, viewVersion } from "./renditions.ts";
import { findContract } from "./rows.ts";
import {
  AnchorsPreview,
  Comparison,
  ContractAnchors,
  ContractAnswer,
  ContractMove,
  ContractPage,
  ContractPatch,
  ContractQuery,
  DocumentText,
  DocumentTextQuery,
  docxType,
  ManyArchived,
  ManyChanged,
  ManyMoved,
  ManyMoves,
  ManyTagged,
  NewContract,
  NewContractAnswer,
  NewVersion,
  pdfType,
  RecentVersions,
  VersionAnswer,
  VersionLink,
  VersionList,
  VersionProgressAnswer,
  VersionProgressList,
} from "./schema.ts";
import { TagList, TagQuery } from "./tags/schema.ts";
import { suggestTags } from "./tags/tags.ts";
import { readText } from "./text.ts";
import { downloadVersion, listVersions, recentVersions, withQueuePositions } from "./versions.ts";

export const contracts = {
  list: operation({
    summary: "List contracts",
    description: "50 per page, with the exact total. Empty values sort last.",
    scopes: ["contracts:read"],
    input: ContractQuery,
    output: ContractPage,
    errors: [],
    cacheable: true,
    mayUseReplica: true,
    run: listContracts,
  }),
  read: operation({
    summary: "Retrieve a contract",
    scopes: ["contracts:read"],
    input: z.object({ id: pathId("contract") }),
    output: ContractAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ contract: await findContract(ctx, id) }),
  }),
  create: operation({
    summary: "Create a contract",
    description:
      "It starts as DRAFT. A document sent with it, in base64 or as a form file, becomes version 1.",
    scopes: ["contracts:write"],
    input: NewContract,
    file: documentField,
    output: NewContractAnswer,
    status: 201,
    errors: ["duplicate_document", "conflict"],
    location: (made: { contract: { id: string } }) => `/contracts/${made.contract.id}`,
    run: createWithDocument,
  }),
  patch: operation({
    summary: "Update a contract",
    description:
      "Omitted fields are left unchanged; null clears a field. New dates resolve its obligations again. `archived` archives or unarchives it: an archived contract is found by its id, and in lists that ask for it.",
    scopes: ["contracts:write"],
    input: ContractPatch,
    output: ContractAnswer,
    errors: ["not_found", "precondition_failed", "conflict"],
    run: async (ctx, input) => ({ contract: await patchContract(ctx, input) }),
  }),
  setStatus: operation({
    summary: "Change a contract's status",
    description:
      "The only way to change a status. A change that is not allowed from the current status is refused, and the message lists what is allowed.",
    scopes: ["contracts:write"],
    input: ContractMove,
    output: ContractAnswer,
    errors: ["not_found", "invalid_transition", "approval_needed", "conflict"],
    run: async (ctx, input) => ({ contract: await moveContract(ctx, input) }),
  }),
  setCounterparty: operation({
    summary: "Set a contract's counterparty",
    scopes: ["contracts:write", "counterparties:write"],
    input: z.strictObject({ id: pathId("contract"), counterpartyId: idIn("counterparty") }),
    output: ContractAnswer,
    errors: ["not_found", "precondition_failed", "conflict"],
    run: async (ctx, input) => ({ contract: await setCounterparty(ctx, input) }),
  }),
  setAnchors: operation({
    summary: "Set a contract's dates and term",
    description:
      "Obligations are counted from them. Omitted fields are left unchanged; null clears a field. All open obligations are resolved again immediately.",
    scopes: ["contracts:write"],
    input: ContractAnchors,
    errors: ["not_found", "precondition_failed", "conflict"],
    run: setAnchors,
  }),
  previewAnchors: operation({
    summary: "Preview a change of dates",
    scopes: ["contracts:read", "obligations:read"],
    input: ContractAnchors,
    output: AnchorsPreview,
    errors: ["not_found"],
    run: previewAnchors,
  }),
  setStatusOfMany: operation({
    summary: "Change the status of many contracts",
    description:
      "Each contract is changed on its own; the response says for each whether its status changed, or why not.",
    scopes: ["contracts:write"],
    input: ManyMoves,
    output: ManyMoved,
    errors: [],
    ignoresIdempotencyKey: true,
    run: moveContracts,
  }),
  setArchivedOfMany: operation({
    summary: "Archive or unarchive many contracts",
    description: "Each on its own; the response says for each whether it changed, or why not.",
    scopes: ["contracts:write"],
    input: ManyArchived,
    output: ManyChanged,
    errors: [],
    ignoresIdempotencyKey: true,
    run: archiveContracts,
  }),
  tagMany: operation({
    summary: "Add tags to many contracts, or remove them",
    description: "Each on its own; the response says for each whether it changed, or why not.",
    scopes: ["contracts:write"],
    input: ManyTagged,
    output: ManyChanged,
    errors: [],
    ignoresIdempotencyKey: true,
    run: tagContracts,
  }),
  tags: operation({
    summary: "List the workspace's tags, the most used first",
    description: "At most 20, of those that begin with `q`.",
    scopes: ["contracts:read"],
    input: TagQuery,
    output: TagList,
    errors: [],
    run: suggestTags,
  }),
};

const ofContract = { contractId: pathId("contract"), versionId: pathId("version") };
const inVersion = z.object({ id: pathId("contract"), versionId: pathId("version") });

export const versions = {
  list: operation({
    summary: "List a contract's document versions",
    description: "All of them, newest first.",
    scopes: ["contracts:read"],
    input: z.object({ id: pathId("contract") }),
    output: VersionList,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ data: await listVersions(ctx, id) }),
  }),
  recent: operation({
    summary: "List a contract's newest versions with their processing progress",
    scopes: ["contracts:read"],
    input: z.object({ contractId: pathId("contract") }),
    output: RecentVersions,
    errors: ["not_found"],
    run: (ctx, { contractId }) => recentVersions(ctx, contractId),
  }),
  create: operation({
    summary: "Upload a document version",
    description: "A PDF or DOCX, in base64 or as a form file. Its parent is the latest version before it.",
    scopes: ["contracts:write"],
    input: NewVersion,
    file: documentField,
    output: VersionAnswer,
    status: 201,
    errors: ["not_found", "duplicate_document", "conflict"],
    run: async (ctx, input, file) => ({ version: await uploadVersion(ctx, input, file!) }),
  }),
  download: operation({
    summary: "Download a document version",
    description: "Its bytes as they were stored, or a range of them.",
    scopes: ["contracts:read"],
    input: inVersion,
    download: [pdfType, docxType],
    status: 200,
    errors: ["not_found", "range_not_satisfiable"],
    run: downloadVersion,
  }),
  progress: operation({
    summary: "Get the processing progress of a contract's versions",
    scopes: ["contracts:read"],
    input: z.object({ contractId: pathId("contract") }),
    output: VersionProgressList,
    errors: ["not_found"],
    run: async (ctx, { contractId }) => ({
      data: await withQueuePositions(await listVersions(ctx, contractId)),
    }),
  }),
  viewUrl: operation({
    summary: "Get a short-lived link to a version's document or PDF",
    scopes: ["contracts:read"],
    input: z.strictObject({ ...ofContract, as: choice(["original", "pdf"]) }),
    output: VersionLink,
    errors: ["not_found", "unsigned_pdf_not_ready"],
    run: viewVersion,
  }),
  retry: operation({
    summary: "Retry creating a version's PDF and reading its text",
    scopes: ["contracts:write"],
    input: z.strictObject(ofContract),
    output: VersionProgressAnswer,
    errors: ["not_found", "conflict"],
    run: async (ctx, input) => {
      const [version] = await withQueuePositions([await retryVersion(ctx, input)]);
      return { version: version! };
    },
  }),
  text: operation({
    summary: "Read the text of a version's pages",
    description: "The words as they stand on the pages, without layout or pictures.",
    scopes: ["contracts:read"],
    input: DocumentTextQuery,
    output: DocumentText,
    errors: ["not_found", "conflict"],
    run: readText,
  }),
  compare: operation({
    summary: "Compare two versions of a contract, clause by clause and word by word",
    scopes: ["contracts:read"],
    input: z.object({
      contractId: pathId("contract"),
      from: pathId("version"),
      to: pathId("version"),
    }),
    output: Comparison,
    errors: ["not_found", "conflict", "unavailable"],
    run: compareVersions,
  }),
};
