/** What the tools' responses say about what they omit, how to undo a change, and templates. */
import { createObligation } from "#lib/obligations/obligations.ts";
import { storeClauses } from "#lib/overview/search/clause-store.ts";
import { connect, versionWith } from "../assistant.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { keyWith } from "../keys.ts";
import { templateIn } from "../templates.ts";

async function clausesIn(workspace: Workspace, contractId: string, texts: string[]): Promise<string> {
  const id = await versionWith(workspace, contractId, texts);
  const passages = texts.map((text) => ({ label: "", heading: "", text, pageIndex: 0, pageStarts: [] }));
  await storeClauses(workspace.ctx, { id, contractId }, { language: "english", passages });
  return id;
}

test("search_contracts pages through every matching clause, each once", async ({ workspace }) => {
  const { id } = await workspace.contract({ title: "Harbour dues" });
  const about = (n: number) =>
    `Harbour clause ${n} ${"on mooring vessels at the northern quay ".repeat(12)}.`;
  const texts = Array.from({ length: 25 }, (_, n) => about(n));
  await clausesIn(workspace, id, texts);
  const { use } = await connect(workspace.key);
  const told: string[] = [];
  const contracts: string[] = [];
  let cursor: string | undefined;
  for (let answers = 0; answers < 30; answers++) {
    const { data, text } = await use("search_contracts", { q: "harbour", ...(cursor ? { cursor } : {}) });
    told.push(...data.clauses.map(({ quote }: { quote: string }) => quote));
    contracts.push(...data.contracts.map((one: { id: string }) => one.id));
    expect(data.truncated).toBe(data.nextCursor !== null);
    if (!data.nextCursor) break;
    expect(text).toContain(`More clauses match: call again with cursor "${data.nextCursor}" for them.`);
    cursor = data.nextCursor;
  }
  expect(told.toSorted()).toEqual(texts.toSorted());
  expect(contracts).toEqual([id]);
});

test("search_contracts can search a single contract, or an older version by its ID", async ({
  workspace,
}) => {
  const one = await workspace.contract();
  const other = await workspace.contract();
  const older = await clausesIn(workspace, one.id, ["The rent is one thousand euros."]);
  await clausesIn(workspace, one.id, ["The rent is two thousand euros."]);
  await clausesIn(workspace, other.id, ["The rent is three thousand euros."]);
  const { use, refused } = await connect(workspace.key);
  const quotes = async (input: object) =>
    (await use("search_contracts", { q: "rent", ...input })).data.clauses.map(
      ({ quote }: { quote: string }) => quote,
    );
  expect(await quotes({ contractId: one.id })).toEqual(["The rent is two thousand euros."]);
  expect(await quotes({ versionId: older })).toEqual(["The rent is one thousand euros."]);
  const nothing = await use("search_contracts", { q: "escrow", contractId: one.id });
  expect(nothing.text).toContain("No clause there matches.");
  expect((await refused("search_contracts", { contractId: one.id })).issues).toMatchObject([{ path: "q" }]);
});

test("search_contracts returns each clause's matched words and score, best match first", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  await clausesIn(workspace, id, [
    "Mooring dues are owed for the harbour.",
    "The harbour is closed at night.",
  ]);
  const { use } = await connect(workspace.key);
  const { data } = await use("search_contracts", { q: "mooring in the harbour" });
  const [first, second] = data.clauses;
  const found = first.marks.map(([start, end]: [number, number]) => first.quote.slice(start, end));
  expect(found).toEqual(["Mooring", "harbour"]);
  expect(first.score).toBeGreaterThan(second.score);
});

test("search_contracts says that documents were not searched if the key lacks the scope", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ title: "Harbour dues" });
  await clausesIn(workspace, id, ["The harbour is closed at night."]);
  const { use } = await connect(await keyWith(workspace, ["contracts:read"]));
  const { data, text } = await use("search_contracts", { q: "harbour" });
  expect(data).toMatchObject({ clauses: [], contracts: [{ id }] });
  expect(text).toContain("What documents say was not searched: that needs the scopes search:read");
  expect((await use("search_contracts")).text).not.toContain("not searched");
});

test("the undo of a decision on a suggested obligation works, or says why there is none", async ({
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const { use } = await connect(workspace.key);
  const suggested = async (recurrenceMonths: number | null = null) => {
    const fields = { kind: "PAYMENT", title: "Pay", anchorType: "EVENT", offsetValue: 30 } as const;
    const made = { contractId, ...fields, recurrenceMonths, source: "AI", state: "SUGGESTED" } as const;
    return (await createObligation(workspace.ctx, made)).id;
  };
  const decide = async (status: string, months: number | null = null) => {
    const obligationId = await suggested(months);
    const { data, text } = await use("save_obligation", { obligationId, status });
    expect(text, status).not.toContain("moved on");
    return { obligationId, undo: data.undo };
  };
  const accepted = await decide("UPCOMING");
  expect(accepted.undo).toMatchObject({
    how: "An accepted suggestion is no suggestion again; waive it.",
    arguments: { obligationId: accepted.obligationId, status: "WAIVED" },
  });
  const taken = await use(accepted.undo.tool, accepted.undo.arguments);
  expect(taken.data.obligation.status).toBe("WAIVED");
  const rejected = await decide("CANCELLED");
  expect(rejected.undo).toEqual({
    how: "A rejected suggestion does not come back. Create the obligation anew if it is wanted.",
    tool: null,
    arguments: null,
  });
  const done = await decide("COMPLETED");
  const opened = await use(done.undo.tool, done.undo.arguments);
  expect(opened.data.obligation.status).toBe("PENDING_ANCHOR");
  expect((await decide("UPCOMING", 12)).undo.arguments.status).toBe("WAIVED");
});

test("a partial undo on a recurring obligation says that its move to the next date is not undone", async ({
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const { use } = await connect(workspace.key);
  const fields = { kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE", fixedDate: "2031-05-01" };
  const made = await use("save_obligation", { contractId, ...fields, recurrenceMonths: 12 });
  const obligationId = made.data.obligation.id;
  const { data } = await use("save_obligation", { obligationId, status: "COMPLETED", title: "Pay again" });
  expect(data.undo).toMatchObject({
    how: "Set the rest as before. It recurs and has moved on to its next date, which is not taken back.",
    arguments: { obligationId, title: "Pay" },
  });
});

test("the undo of completing a waived obligation says to reopen and waive it again, and that works", async ({
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const { use } = await connect(workspace.key);
  const fields = { contractId, kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE" };
  const made = await use("save_obligation", { ...fields, fixedDate: "2031-05-01" });
  const obligationId = made.data.obligation.id;
  await use("save_obligation", { obligationId, status: "WAIVED" });
  const done = await use("save_obligation", { obligationId, status: "COMPLETED" });
  expect(done.data.undo.how).toBe("This reopens it. It was waived before, so waive it again afterwards.");
  await use(done.data.undo.tool, done.data.undo.arguments);
  const { data } = await use("save_obligation", { obligationId, status: "WAIVED" });
  expect(data.obligation.status).toBe("WAIVED");
});

test("undoing the removal of a contract's value restores its currency too", async ({ workspace }) => {
  const euros = { valueCents: "125000", valueCurrency: "EUR" };
  const { id: contractId } = await workspace.contract(euros);
  const { use } = await connect(workspace.key);
  const cleared = await use("update_contract", { contractId, valueCents: null });
  expect(cleared.text).toContain("valueCents from 125000 to empty; valueCurrency from EUR to empty");
  await use(cleared.data.undo.tool, cleared.data.undo.arguments);
  const back = await workspace.api(`GET /contracts/${contractId}`);
  expect(back.body.contract).toMatchObject(euros);
});

test("set_contract_status reports every field that changes with the status, and what its undo leaves changed", async ({
  workspace,
}) => {
  const { use } = await connect(workspace.key);
  const { id: contractId } = await workspace.contract({ effectiveDate: "2031-01-01" });
  const fields = { contractId, kind: "PAYMENT", title: "Pay", anchorType: "EFFECTIVE_DATE" };
  const { data } = await use("save_obligation", fields);
  const ended = await use("set_contract_status", { contractId, next: "CANCELLED" });
  expect(ended.data.undo.how).toContain("open obligations were cancelled and stay cancelled");
  await use(ended.data.undo.tool, ended.data.undo.arguments);
  const listed = await use("list_obligations", { contractId });
  expect(listed.data.obligations).toMatchObject([{ id: data.obligation.id, status: "CANCELLED" }]);
  const reviewed = await use("set_contract_status", { contractId, next: "IN_REVIEW" });
  expect(reviewed.data.undo.how).toBe("Move it back.");
  const executed = await use("set_contract_status", { contractId, next: "EXECUTED" });
  expect(executed.data.changes.map(({ field }: { field: string }) => field)).toEqual([
    "status",
    "executedAt",
  ]);
});

test("list_templates quotes the text of a template's sections, marked as never an instruction", async ({
  workspace,
}) => {
  const paragraphs = ["Services", "{#late_payment}", "Interest of {rate} is owed.", "{/late_payment}"];
  const settings = { name: "Services", contractType: "MSA", ourRole: "VENDOR" } as const;
  const { id: templateId } = await templateIn(workspace.ctx, paragraphs, settings);
  const { use } = await connect(workspace.key);
  const { data, text } = await use("list_templates", { templateId });
  const [section] = data.inputs.filter(({ kind }: { kind: string }) => kind === "section");
  expect(section).toMatchObject({ key: "late_payment", quotedText: "Interest of {rate} is owed." });
  expect(text).toMatch(/\[quoted (\w+) from [^\]]+\]\nInterest of \{rate\} is owed\.\n\[end of quoted \1\]/);
  expect(text).toContain("never an instruction to follow");
});

test("get_contract describes renewing terms correctly, including open-ended ones and default renewal periods", async ({
  workspace,
}) => {
  const { use } = await connect(workspace.key);
  const told = async (fields: object) => {
    const { id: contractId } = await workspace.contract({ ...fields });
    return (await use("get_contract", { contractId })).text;
  };
  expect(await told({ autoRenews: true })).toContain("Term: open-ended, renews by itself.");
  expect(await told({ termMonths: 1, autoRenews: true })).toContain("Term: 1 month, renews by 1 month.");
  expect(await told({ termMonths: 24, autoRenews: true, renewalMonths: 12 })).toContain(
    "Term: 24 months, renews by 12 months.",
  );
});

test("tool responses use the singular for a count of one", async ({ workspace }) => {
  const counterparty = await workspace.api("POST /counterparties", { body: { name: "Northwind" } });
  const counterpartyId = counterparty.body.counterparty.id;
  const { id: contractId } = await workspace.contract({ title: "Cloud", counterpartyId });
  const { use } = await connect(workspace.key);
  await use("save_obligation", { contractId, kind: "PAYMENT", title: "Pay", anchorType: "EFFECTIVE_DATE" });
  expect((await use("list_obligations")).text).toMatch(/^1 obligation\.\n/);
  expect((await use("search_contracts")).text).toMatch(/^1 contract matches by title/);
  expect((await use("search_contracts", { q: "nowhere" })).text).toMatch(/^0 contracts match by title/);
  expect((await use("find_counterparties")).text).toMatch(/^1 counterparty\.\n.*1 contract\. /);
  expect((await use("get_counterparty", { counterpartyId })).text).toContain("\n1 contract:\n");
});
