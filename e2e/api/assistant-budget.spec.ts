/** However much data there is, a response takes at most 8,000 tokens, and what it omits can be requested. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { database } from "#lib/core/db.ts";
import { type Assistant, connect, versionWith } from "../assistant.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { signedIn } from "../members.ts";
import { templateIn } from "../templates.ts";

const mostTokens = 8_000;

/** Returns text that no tokenizer has seen; the same on every run. */
function unseen(length: number, letters = "abcdefghijklmnopqrstuvwxyz ") {
  const all = [...letters];
  let seed = length;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return all[seed % all.length];
  };
  return Array.from({ length }, next).join("").trim();
}

/** Returns a function that calls tools and checks each response against the budget. */
async function thrifty(workspace: Workspace): Promise<Assistant["use"]> {
  const { client } = await connect(workspace.key);
  return async (name, input = {}) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const tokens = countTokens(JSON.stringify(result));
    expect(tokens, `${name} ${JSON.stringify(input)}`).toBeLessThanOrEqual(mostTokens);
    expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
    const [content] = result.content;
    return { data: result.structuredContent as never, text: content?.type === "text" ? content.text : "" };
  };
}

/** Returns all items of a list, by following its cursor. */
async function all(use: Assistant["use"], tool: string, items: string, input: object = {}) {
  const found: { id: string }[] = [];
  let cursor: string | null | undefined;
  let answers = 0;
  do {
    const { data } = await use(tool, { ...input, ...(cursor ? { cursor } : {}) });
    expect(data.truncated, tool).toBe(data.nextCursor !== null);
    found.push(...data[items]);
    cursor = data.nextCursor;
    answers++;
  } while (cursor && answers < 200);
  return { found, answers };
}

/** Copies a row of a table `count` times; each copy has its own id and the values of `fields` (SQL, with n). */
async function multiply(table: string, organizationId: string, id: string, count: number, fields: string) {
  const { prisma } = database();
  const [{ names }] = await prisma.$queryRawUnsafe<[{ names: string }]>(
    `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
     WHERE table_name = $1 AND is_generated = 'NEVER'`,
    table,
  );
  await prisma.$executeRawUnsafe(
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM (
       SELECT (jsonb_populate_record(c, jsonb_build_object('id', c.id || lpad(n::text, 4, '0'), ${fields}))).*
       FROM ${table} c, generate_series(1, $3) n WHERE c.organization_id = $1 AND c.id = $2) made`,
    organizationId,
    id,
    count,
  );
}

test("500 contracts with long titles are listed once each, in responses within the token budget", async ({
  workspace,
}) => {
  const use = await thrifty(workspace);
  const { organizationId } = workspace;
  const made = await workspace.api("POST /counterparties", {
    body: { name: unseen(200), notes: unseen(20_000) },
  });
  const counterpartyId = made.body.counterparty.id;
  const { id } = await workspace.contract({ title: unseen(190), counterpartyId });
  await multiply("contracts", organizationId, id, 499, "'title', c.title || n");
  const { found } = await all(use, "search_contracts", "contracts");
  expect(new Set(found.map(({ id }) => id)).size).toBe(500);
  expect(found).toHaveLength(500);
  const { data } = await use("get_counterparty", { counterpartyId });
  const last = await use("get_counterparty", { counterpartyId, cursor: "499" });
  expect([data.truncated, last.data.contracts.length, last.data.nextCursor]).toEqual([true, 1, null]);
  expect(data.quotedNotes).toMatch(/… \[\d+ more characters\]$/);
});

test("obligations, counterparties and audit events are listed completely, in responses within the token budget", async ({
  workspace,
}) => {
  const use = await thrifty(workspace);
  const { organizationId, api } = workspace;
  const { id: contractId } = await workspace.contract({ title: unseen(200) });
  const clause = unseen(10_000, "一二三四五六七八九十条款合同");
  const fields = { contractId, kind: "PAYMENT", anchorType: "FIXED_DATE", fixedDate: "2031-01-01" };
  const texts = { title: unseen(190), description: clause, sourceText: clause };
  const { headers } = await api("POST /obligations", { body: { ...fields, ...texts } });
  const id = headers.get("location")!.split("/").at(-1)!;
  await multiply("obligations", organizationId, id, 59, "'title', c.title || n");
  const obligations = await all(use, "list_obligations", "obligations");
  expect(new Set(obligations.found.map(({ id }) => id)).size).toBe(60);
  const { data } = await use("save_obligation", { obligationId: id, description: null });
  expect(data.undo.tool).toBe(null);
  const { body } = await api("POST /counterparties", { body: { name: unseen(190), domain: unseen(400) } });
  await multiply("counterparties", organizationId, body.counterparty.id, 119, "'name', c.name || n");
  const counterparties = await all(use, "find_counterparties", "counterparties");
  expect(new Set(counterparties.found.map(({ id }) => id)).size).toBe(120);
  for (let n = 0; n < 20; n++) {
    await api(`PATCH /contracts/${contractId}`, { body: { title: unseen(150 + n) } });
  }
  const events = await all(use, "list_audit_events", "events");
  const told = new Set(events.found.map(({ id }) => id)).size;
  const listed = await api("GET /audit-events?limit=200");
  expect(told).toBe(listed.body.data.length);
});

test("long texts that a list leaves out do not count against its token budget", async ({ workspace }) => {
  const use = await thrifty(workspace);
  const { id: contractId } = await workspace.contract();
  const sourceText = "The customer shall pay within thirty days. ".repeat(400);
  const fields = { contractId, kind: "PAYMENT", title: "Pay", anchorType: "EVENT", sourceText };
  for (let n = 0; n < 12; n++) await workspace.api("POST /obligations", { body: fields });
  const { data } = await use("list_obligations", { contractId });
  expect([data.obligations.length, data.truncated]).toEqual([12, false]);
  const text = sourceText.slice(0, 1_500);
  const sections = Array.from({ length: 15 }, (_, at) => [`{#part_${at}}`, text, `{/part_${at}}`]);
  const settings = { contractType: "MSA", ourRole: "VENDOR" } as const;
  for (const name of ["One", "Two", "Three"]) {
    await templateIn(workspace.ctx, sections.flat(), { name, ...settings });
  }
  const listed = await use("list_templates");
  expect(listed.data.templates).toHaveLength(3);
});

test("reading and changing 50 long custom fields fits the token budget, and responses say what they omit", async ({
  workspace,
}) => {
  const use = await thrifty(workspace);
  const owner = await signedIn(workspace, "owner");
  const keys = Array.from({ length: 50 }, (_, at) => `field-with-a-long-name-${at}`);
  for (const key of keys) {
    expect((await owner.call("customFields.create", { key, name: key, type: "text" })).status).toBe(201);
  }
  const values = (salt: string) =>
    Object.fromEntries(keys.map((key) => [key, `${salt} ${scripts.han.repeat(20)}`.slice(0, 500)]));
  const { id: contractId } = await workspace.contract({ customFields: values("before") });
  const { data } = await use("get_contract", { contractId });
  expect(Object.keys(data.contract.customFields)).toHaveLength(50);
  expect(data.contract.customFields[keys[0]!]).toMatch(/… \[\d+ more characters\]$/);
  const changed = await use("update_contract", { contractId, customFields: values("after") });
  expect(changed.data.truncated).toBe(true);
  expect(changed.text).toMatch(/; and \d+ more fields, which the web app shows\./);
  const one = { [keys[0]!]: "short" };
  const last = await use("update_contract", { contractId, customFields: one });
  expect([last.data.changes.length, last.data.truncated]).toEqual([1, false]);
  const [{ from }] = last.data.changes;
  expect(last.data.undo.arguments.customFields).toEqual({ [keys[0]!]: from });
  await use("set_contract_status", { contractId, next: "IN_REVIEW" });
});

const scripts = {
  english: "The supplier shall give notice of thirty days. ",
  letters: unseen(400),
  han: "甲方应当在三十日内书面通知乙方并支付全部款项。",
  arabic: "يلتزم الطرف الأول بإخطار الطرف الثاني كتابيا خلال ثلاثين يوما. ",
  cuneiform: "𒀀𒀁𒀂𒀃𒀄𒀅𒀆𒀇𒀈𒀉",
};

test("a 2,000-page document in several scripts can be read to its end, in responses within the token budget", async ({
  workspace,
}) => {
  const use = await thrifty(workspace);
  const { id: contractId } = await workspace.contract();
  const kinds = Object.values(scripts);
  const pages = Array.from(
    { length: 2_000 },
    (_, at) => `${at} ${kinds[at % kinds.length]!.repeat(at % 50 === 7 ? 60 : 1)}`,
  );
  pages[1_990] = unseen(70_000);
  pages[1_995] = "";
  await versionWith(workspace, contractId, pages);
  const first = await use("read_document", { contractId });
  expect(first.data).toMatchObject({ pageCount: 2_000, truncated: true });
  expect(first.text).toContain(`call again with cursor "${first.data.nextCursor}"`);
  for (const page of [7, 957, 1_500]) await use("read_document", { contractId, page });
  const read = new Map<number, string>();
  let cursor: string | null = "1985.0";
  while (cursor) {
    const { data } = await use("read_document", { contractId, cursor });
    for (const { page, quotedText } of data.pages) read.set(page, (read.get(page) ?? "") + quotedText);
    expect(data.nextCursor).not.toBe(cursor);
    cursor = data.nextCursor;
  }
  expect([...read]).toEqual(pages.slice(1_984).map((text, at) => [at + 1_985, text]));
  const past = await use("read_document", { contractId, page: 2_001 });
  expect(past.data).toMatchObject({ pages: [], nextCursor: null });
});

test("comparing two long documents returns every change, in responses within the token budget", async ({
  workspace,
}) => {
  const use = await thrifty(workspace);
  const { id: contractId } = await workspace.contract();
  const clauses = (salt: string) =>
    Array.from(
      { length: 60 },
      (_, at) =>
        `${at + 1}. Clause ${at}. ${unseen(40 + ((at * 97) % 900))} ${salt} ${unseen(at === 30 ? 9_000 : 60)}`,
    );
  await versionWith(workspace, contractId, [clauses("before").join("\n\n")]);
  await versionWith(workspace, contractId, [clauses("after").join("\n\n")]);
  const { found, answers } = await all(use, "compare_versions", "clauses", { contractId });
  expect(answers).toBeGreaterThan(1);
  const { data } = await use("compare_versions", { contractId });
  const { changed, added, removed, moved } = data.summary;
  expect(found).toHaveLength(changed + added + removed + moved);
});

test("a template with 190 variables is described completely, in responses within the token budget", async ({
  workspace,
}) => {
  const use = await thrifty(workspace);
  const keys = Array.from({ length: 190 }, (_, at) => `variable_${at}`);
  const variables = keys.map((key) => ({
    key,
    label: unseen(150),
    type: "select" as const,
    required: true,
    options: Array.from({ length: 50 }, (_, at) => unseen(100 + at)),
  }));
  const paragraphs = keys.map((key) => `{${key}}`);
  const { id: templateId } = await templateIn(workspace.ctx, paragraphs, {
    name: "Long",
    contractType: "MSA",
    ourRole: "VENDOR",
    variables,
  });
  const { found } = await all(use, "list_templates", "inputs", { templateId });
  expect(found).toHaveLength(190);
  const { data } = await use("list_templates");
  expect(data.templates[0].requiredInputs.at(-1)).toBe("and 170 more");
});

test("an error about a huge input stays within the token budget", async ({ workspace }) => {
  const { client } = await connect(workspace.key);
  const stray = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${unseen(150)}${at}`, 1]));
  for (const input of [stray, { contractId: unseen(500_000) }]) {
    const result = await client.callTool({ name: "get_contract", arguments: input });
    expect(result.isError).toBe(true);
    expect(countTokens(JSON.stringify(result))).toBeLessThanOrEqual(mostTokens);
  }
});
