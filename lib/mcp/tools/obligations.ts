/** The tools that list obligations and change them. */
import { z } from "zod";
import { invalid } from "#lib/core/errors.ts";
import { idIn } from "#lib/core/wire.ts";
import { obligations } from "#lib/obligations/operations.ts";
import {
  NewObligation,
  type Obligation,
  ObligationPatch,
  ObligationQuery,
  obligationPageSize,
} from "#lib/obligations/schema.ts";
import { counted } from "../answers/words.ts";
import { Change, changesBetween, changesInWords, Undo, undoBy, undoInWords } from "./changes.ts";
import { ObligationLine, obligationFrom, obligationLine } from "./obligation-answers.ts";
import { cursor, pageWith, paginate, pagingFields, startOf } from "./paging.ts";
import { type Caller, tool } from "./tool.ts";

const { page: _, ...filters } = ObligationQuery.shape;

export const listObligations = tool({
  name: "list_obligations",
  title: "List obligations",
  description:
    "Lists obligations, soonest due first: what is due, overdue, or due between two dates; of one contract, counterparty, owner or assignee.",
  uses: [obligations.list],
  mayUse: [obligations.agenda],
  input: z.strictObject({ ...filters, cursor }),
  output: z.object({ total: z.int(), obligations: z.array(ObligationLine), ...pagingFields }),
  async run(caller, { cursor: at, ...query }) {
    const start = startOf(at);
    const { page, skip } = pageWith(start, obligationPageSize);
    const source = caller.may(obligations.agenda) ? obligations.agenda : obligations.list;
    const { data, total } = await caller.ask(source, { ...query, page });
    const items = data.slice(skip).map(obligationFrom);
    const list = paginate({ items, start, total, lineOf: obligationLine, rowOf: ObligationLine.parse });
    return {
      data: { total, obligations: list.items, ...list.more },
      text: `${counted(total, "obligation")}.\n${list.text}${list.note}`,
    };
  },
});

const SavedObligation = z.strictObject({
  obligationId: idIn("obligation").optional(),
  contractId: idIn("contract").optional(),
  ...z.object(NewObligation.shape).omit({ contractId: true, source: true }).partial().shape,
  status: ObligationPatch.shape.status,
  occurrence: ObligationPatch.shape.occurrence.meta({
    description: "The dueDate as it was seen: nothing changes once another one is next",
  }),
});
type Fields = Omit<z.input<typeof SavedObligation>, "obligationId">;

export const saveObligation = tool({
  name: "save_obligation",
  title: "Create or update an obligation",
  description:
    "Without obligationId creates an obligation (contractId, kind, title and anchorType are needed); with it changes, completes (status COMPLETED), waives or reopens (UPCOMING) that one.",
  uses: [obligations.read, obligations.create, obligations.patch],
  input: SavedObligation,
  output: z.object({ obligation: ObligationLine, changes: z.array(Change), undo: Undo.nullable() }),
  run: (caller, { obligationId, ...fields }) =>
    obligationId === undefined ? create(caller, fields) : update(caller, obligationId, fields),
});

async function create(caller: Caller, { status, ...fields }: Fields) {
  if (status !== undefined) {
    throw invalid({ path: "status", message: "follows from the date of a new obligation: leave it out" });
  }
  // The operation itself reports missing fields.
  const id = await caller.create(obligations.create, fields as z.input<typeof NewObligation>);
  const { obligation } = await caller.ask(obligations.read, { id });
  const shown = obligationFrom(obligation);
  const waived = { obligationId: id, status: "WAIVED" };
  const undo = undoBy("save_obligation", "An obligation is not deleted; waive it.", waived);
  return {
    data: { obligation: shown, changes: [], undo },
    text: `Created:\n${obligationLine(shown)}\n${shown.dueDateBasis}\n${undoInWords(undo)}`,
  };
}

async function update(caller: Caller, id: string, { contractId, ...fields }: Fields) {
  const { obligation: before } = await caller.ask(obligations.read, { id });
  if (contractId !== undefined && contractId !== before.contractId) {
    throw invalid({ path: "contractId", message: "is another contract than the obligation's, which stays" });
  }
  const { obligation: after } = await caller.ask(obligations.patch, { id, ...fields });
  const names = [...Object.keys(fields), "status", "resolvedDate"];
  const changes = changesBetween(before, after, [...new Set(names)]);
  const shown = obligationFrom(after);
  const undo = changes.length > 0 ? undoOf(before, changes, fields.status) : null;
  return {
    data: { obligation: shown, changes, undo },
    text: `${changesInWords(changes)}\n${obligationLine(shown)}\n${undoInWords(undo)}`,
  };
}

const closed = ["COMPLETED", "WAIVED"];
/** Fields that are derived from others. */
const derived = ["status", "resolvedDate"];

/** Open statuses follow from the date, so a completed or waived obligation is reopened to undo that. */
function undoOf(before: Obligation, changes: readonly Change[], asked: Fields["status"]): Undo {
  const { id: obligationId } = before;
  const fields = changes.map(({ field }) => field).filter((field) => !derived.includes(field));
  const previous = Object.fromEntries(fields.map((field) => [field, before[field as keyof Obligation]]));
  const status = changes.find(({ field }) => field === "status");
  if (status?.from === "SUGGESTED") return undoOfDecision(before, status.to, previous);
  if (closed.includes(String(status?.to))) Object.assign(previous, { status: "UPCOMING" });
  else if (closed.includes(String(status?.from))) Object.assign(previous, { status: status?.from });
  const hasMovedOn = asked === "COMPLETED" && before.recurrenceMonths !== null;
  const stays = "It recurs and has moved on to its next date, which is not taken back.";
  if (Object.keys(previous).length === 0) return { how: stays, tool: null, arguments: null };
  const wasWaived = status?.from === "WAIVED" && status.to === "COMPLETED";
  const whole = wasWaived
    ? "This reopens it. It was waived before, so waive it again afterwards."
    : "Set it as before.";
  const how = hasMovedOn ? `Set the rest as before. ${stays}` : whole;
  return undoBy("save_obligation", how, { obligationId, ...previous });
}

/** A decision about a suggestion cannot be undone. An accepted one can only be waived, and a closed one reopened. */
function undoOfDecision({ id: obligationId }: Obligation, to: unknown, previous: object): Undo {
  if (to === "CANCELLED") {
    const how = "A rejected suggestion does not come back. Create the obligation anew if it is wanted.";
    return { how, tool: null, arguments: null };
  }
  if (closed.includes(String(to))) {
    const how = "It is no suggestion again; this opens it, as if it had been accepted alone.";
    return undoBy("save_obligation", how, { obligationId, ...previous, status: "UPCOMING" });
  }
  const how = "An accepted suggestion is no suggestion again; waive it.";
  return undoBy("save_obligation", how, { obligationId, ...previous, status: "WAIVED" });
}
