/** The tools that read and create a contract. */
import { z } from "zod";
import { contractLifecycle } from "#lib/contracts/lifecycle.ts";
import { contracts, versions } from "#lib/contracts/operations.ts";
import { type Contract, contractFields } from "#lib/contracts/schema.ts";
import { invalid } from "#lib/core/errors.ts";
import { movesFrom } from "#lib/core/lifecycle.ts";
import { idIn } from "#lib/core/wire.ts";
import { obligations } from "#lib/obligations/operations.ts";
import { templates } from "#lib/templates/operations.ts";
import { NewContractFromTemplate } from "#lib/templates/schema.ts";
import { Budget, takeFitting } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { counted, day, titled, words } from "../answers/words.ts";
import { Undo, undoInWords } from "./changes.ts";
import { ContractDetail, contractFrom, contractLine } from "./contract-answers.ts";
import { ObligationLine, obligationFrom, obligationLine } from "./obligation-answers.ts";
import { type Caller, tool } from "./tool.ts";

const contractId = idIn("contract");

const VersionLine = z.object({
  id: z.string(),
  versionNumber: z.int(),
  fileName: z.string(),
  source: z.string(),
  createdAt: z.string(),
  link: z.string(),
});

/** How many versions and obligations are shown. */
const shownVersions = 10;
const shownObligations = 5;

export const getContract = tool({
  name: "get_contract",
  title: "Get a contract",
  description:
    "Gets a contract with its dates, term, value, document versions, next open obligations, and the statuses it can move to.",
  uses: [contracts.read, versions.list],
  mayUse: [obligations.listOfContract],
  input: z.strictObject({ contractId }),
  output: z.object({
    contract: ContractDetail,
    nextStatuses: z.array(z.string()),
    versions: z.array(VersionLine),
    versionCount: z.int(),
    openObligations: z.array(ObligationLine),
    openObligationCount: z.int().nullable(),
    truncated: z.boolean(),
  }),
  async run(caller, { contractId: id }) {
    const { contract: read } = await caller.ask(contracts.read, { id });
    const { data } = await caller.ask(versions.list, { id });
    const open = await openObligations(caller, id);
    const contract = contractFrom(read);
    const nextStatuses = [...movesFrom(contractLifecycle, read.status)];
    const budget = new Budget();
    budget.spend(ContractDetail.parse(contract), contractLine(contract), detailText(read));
    const newest = data.slice(0, shownVersions).map((version) => ({
      ...version,
      link: linkTo.version(id, version.id),
    }));
    const files = takeFitting(budget, newest, versionLine, VersionLine.parse);
    const due = takeFitting(
      budget,
      open?.slice(0, shownObligations) ?? [],
      obligationLine,
      ObligationLine.parse,
    );
    const more = [
      data.length > files.count && `${counted(data.length, "version")} in all; the newest are shown.`,
      open &&
        open.length > due.count &&
        `${counted(open.length, "open obligation")} in all; list_obligations has them.`,
    ].filter(Boolean);
    return {
      data: {
        contract,
        nextStatuses,
        versions: files.items,
        versionCount: data.length,
        openObligations: due.items,
        openObligationCount: open?.length ?? null,
        truncated: more.length > 0,
      },
      text: [
        contractLine(contract),
        detailText(read),
        "Document versions:",
        ...(files.lines.length > 0 ? files.lines : ["none"]),
        ...(due.lines.length > 0 ? ["Open obligations:", ...due.lines] : []),
        ...more,
      ].join("\n"),
    };
  },
});

function detailText(contract: Contract): string {
  const { owner, ourRole, termMonths, autoRenews, renewalMonths, status } = contract;
  const term = termMonths ? counted(termMonths, "month") : "open-ended";
  const months = renewalMonths ?? termMonths;
  const renews = months ? `renews by ${counted(months, "month")}` : "renews by itself";
  const renewal = autoRenews ? renews : "does not renew";
  const next = movesFrom(contractLifecycle, status).map(words).join(", ");
  const custom = Object.entries(contractFrom(contract).customFields).map(
    ([key, value]) => `${key}: ${value}`,
  );
  const fields = custom.length > 0 ? ` Custom fields: ${custom.join("; ")}.` : "";
  return `We are the ${words(ourRole)}. Owner: ${owner.name} (${owner.id}). Term: ${term}, ${renewal}.${fields} It can move to: ${next || "nothing"}.`;
}

function versionLine(version: z.output<typeof VersionLine>): string {
  const { id, versionNumber, fileName, createdAt, link } = version;
  return `- version ${versionNumber}: ${titled(fileName)}, ${day(createdAt)}. ${id} ${link}`;
}

/** Returns null if the caller may not read obligations. */
async function openObligations(caller: Caller, id: string) {
  if (!caller.may(obligations.listOfContract)) return null;
  const { data } = await caller.ask(obligations.listOfContract, { id });
  const open = ["PENDING_ANCHOR", "UPCOMING", "DUE", "OVERDUE"];
  return data.filter(({ status }) => open.includes(status)).map(obligationFrom);
}

const fromTemplate = NewContractFromTemplate.shape;

const NewContract = z.strictObject({
  templateId: idIn("template").optional(),
  counterpartyName: fromTemplate.counterpartyName,
  ...z.object(contractFields).partial().shape,
  variables: fromTemplate.variables,
  sections: fromTemplate.sections,
});
type NewContract = z.input<typeof NewContract> & { ownerId: string };

export const createContract = tool({
  name: "create_contract",
  title: "Create a contract",
  description:
    "Creates a draft contract: with templateId from a template (list_templates says what it needs), whose document is generated; else bare, which needs title, type and ourRole.",
  uses: [contracts.create, contracts.read],
  mayUse: [templates.makeContract],
  input: NewContract,
  output: z.object({ contract: ContractDetail, undo: Undo }),
  async run(caller, input) {
    const ownerId = input.ownerId ?? ownerFor(caller);
    const id = input.templateId
      ? await generate(caller, { ...input, ownerId, templateId: input.templateId })
      : await createBare(caller, { ...input, ownerId });
    const { contract } = await caller.ask(contracts.read, { id });
    const undo = {
      how: "A contract is not deleted from here; move it to CANCELLED.",
      tool: "set_contract_status",
      arguments: { contractId: id, next: "CANCELLED" },
    };
    const shown = contractFrom(contract);
    return {
      data: { contract: shown, undo },
      text: `Created:\n${contractLine(shown)}\n${detailText(contract)}\n${undoInWords(undo)}`,
    };
  },
});

function ownerFor({ ctx: { actor } }: Caller): string {
  if (actor.kind === "user") return actor.id;
  throw invalid({
    path: "ownerId",
    message: "is required with an API key: the id of a member, such as the owner of another contract",
  });
}

async function generate(caller: Caller, input: NewContract & { templateId: string }): Promise<string> {
  const { type, executedAt, tags, ...rest } = input;
  const wrong = Object.entries({ type, executedAt, tags }).filter(([, value]) => value !== undefined);
  if (wrong.length > 0) {
    throw invalid(...wrong.map(([path]) => ({ path, message: "cannot be set together with templateId" })));
  }
  const { contractId: id } = await caller.ask(templates.makeContract, {
    ...rest,
    counterpartyId: rest.counterpartyId ?? undefined,
  });
  return id;
}

async function createBare(caller: Caller, input: NewContract): Promise<string> {
  const { templateId: _, counterpartyName, variables, sections, ...fields } = input;
  const isEmpty = (value: unknown) => value === undefined || Object.keys(Object(value)).length === 0;
  const wrong = Object.entries({ counterpartyName, variables, sections }).filter(
    ([, value]) => !isEmpty(value),
  );
  if (wrong.length > 0) {
    throw invalid(...wrong.map(([path]) => ({ path, message: "is only for contracts from a template" })));
  }
  // The operation itself reports a missing title, type or role.
  const { contract } = await caller.ask(contracts.create, fields as z.input<typeof contracts.create.input>);
  return contract.id;
}
