/** Tags: a workspace's own labels for its contracts, in every interface that sets, finds and returns them. */
import { parse } from "csv-parse/sync";
import { importContracts } from "#lib/contracts/import/import.ts";
import { ContractQuery } from "#lib/contracts/schema.ts";
import { cellOfTags, tagsOfCell } from "#lib/contracts/tags/cells.ts";
import { exportCsv } from "#lib/overview/exports/csv.ts";
import { expect, test } from "../fixtures.ts";
import { code, signedIn } from "../members.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

test("a contract has at most 20 tags of 40 characters, unique ignoring case, replaced by a patch and never null", async ({
  workspace,
}) => {
  const { api } = workspace;
  const tags = Array.from({ length: 20 }, (_, n) => `${n} ${"ä".repeat(37)}`);
  const { id, ...made } = await workspace.contract({ tags });
  expect(made.tags).toEqual(tags);
  expect((await workspace.contract()).tags).toEqual([]);
  const patch = (body: object) => api(`PATCH /contracts/${id}`, { body });
  expect((await patch({ title: "Other" })).body.contract.tags).toEqual(tags);
  expect((await patch({ tags: [" Q3 ", "übersee"] })).body.contract.tags).toEqual(["Q3", "übersee"]);
  expect((await patch({ tags: ["ÜBERSEE"] })).body.contract.tags).toEqual(["ÜBERSEE"]);
  expect((await patch({ tags: [] })).body.contract.tags).toEqual([]);
  const wrong: [unknown, string][] = [
    [[...tags, "one more"], "tags"],
    [["x".repeat(41)], "tags.0"],
    [["ok", " "], "tags.1"],
    [["a\nb"], "tags.0"],
    [["Über", "b", "ÜBER"], "tags.2"],
    // The database compares letter by letter: the final sigma of ΟΔΟΣ equals any other sigma.
    [["ΟΔΟΣ", "οδοσ"], "tags.1"],
    [["İ", "i"], "tags.1"],
    ["Q3", "tags"],
    [null, "tags"],
  ];
  for (const [said, path] of wrong) {
    const reply = await patch({ tags: said });
    expect([code(reply), reply.body.error.details.issues[0].path]).toEqual(["422 validation_error", path]);
  }
});

test("lists can be filtered by tags, all of which must match, regardless of case and only in the workspace", async ({
  workspace,
  other,
}) => {
  const both = await workspace.contract({ tags: ["Übersee", "Q3; late"] });
  await workspace.contract({ tags: ["Übersee"] });
  await workspace.contract();
  await other.contract({ tags: ["Übersee", "Q3; late", "100%"] });
  const found = async (...tags: string[]) => {
    const query = new URLSearchParams(tags.map((tag) => ["tag", tag]));
    const { body } = await workspace.api(`GET /contracts?${query}`);
    expect(body.total).toBe(body.data.length);
    return body.data.map(({ id }: Json) => id);
  };
  expect(await found("übersee")).toHaveLength(2);
  expect(await found("ÜBERSEE", "q3; LATE")).toEqual([both.id]);
  expect(await found("Überse")).toEqual([]);
  expect(await found("100%")).toEqual([]);
  expect(code(await workspace.api(`GET /contracts?tag=${"x".repeat(41)}`))).toBe("422 validation_error");
});

test("tags that differ to the database stay distinct in filters, counts and bulk changes", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const tags = ["ΟΔΟΣ", "οδος"];
  const { id } = await workspace.contract({ tags });
  for (const tag of tags) {
    const { body } = await workspace.api(`GET /contracts?tag=${encodeURIComponent(tag)}`);
    expect(body.total, tag).toBe(1);
  }
  const { data } = (await member.call("contracts.tags", {})).body;
  expect(data.map(({ count }: Json) => count)).toEqual([1, 1]);
  await member.call("contracts.tagMany", { ids: [id], add: ["οδοσ", "Q3"], remove: ["οδος"] });
  const { contract } = (await workspace.api(`GET /contracts/${id}`)).body;
  expect(contract.tags).toEqual(["ΟΔΟΣ", "Q3"]);
});

test("the workspace's tags are suggested by prefix, most used first, in their most common spelling", async ({
  workspace,
  other,
}) => {
  for (const tags of [["Übersee"], ["Übersee", "Q3"], ["übersee"], ["Über uns", "100%"]]) {
    await workspace.contract({ tags });
  }
  await other.contract({ tags: ["Überall"] });
  const { id } = await workspace.contract({ tags: ["Über uns", "Überholt"] });
  await workspace.api(`PATCH /contracts/${id}`, { body: { archived: true } });
  const viewer = await signedIn(workspace, "viewer");
  const offered = async (q?: string) => (await viewer.call("contracts.tags", { q })).body.data;
  expect(await offered("ÜBER")).toEqual([
    { tag: "Übersee", count: 3 },
    { tag: "Über uns", count: 1 },
    { tag: "Überholt", count: 0 },
  ]);
  expect((await offered())[0].tag).toBe("Übersee");
  expect(await offered("%")).toEqual([]);
});

test("bulk tagging handles each contract independently, reports full ones, and is forbidden to viewers", async ({
  workspace,
}) => {
  const full = await workspace.contract({ tags: Array.from({ length: 20 }, (_, n) => `T${n}`) });
  const some = await workspace.contract({ tags: ["Audit", "old"] });
  const none = await workspace.contract();
  const member = await signedIn(workspace, "member");
  const ids = [full.id, some.id, none.id, "ctr_gone"];
  const { body } = await member.call("contracts.tagMany", { ids, add: ["AUDIT"], remove: ["OLD"] });
  expect(body.results.map(({ ok, changed, code }: Json) => [ok, changed, code])).toEqual([
    [false, false, "conflict"],
    [true, true, null],
    [true, true, null],
    [false, false, "not_found"],
  ]);
  const tagsOf = async (id: string) => (await workspace.api(`GET /contracts/${id}`)).body.contract.tags;
  expect([await tagsOf(some.id), await tagsOf(none.id)]).toEqual([["Audit"], ["AUDIT"]]);
  const again = await member.call("contracts.tagMany", { ids: [some.id], add: ["audit"] });
  expect(again.body.results).toMatchObject([{ ok: true, changed: false }]);
  const viewer = await signedIn(workspace, "viewer");
  expect(code(await viewer.call("contracts.tagMany", { ids, add: ["x"] }))).toBe("403 forbidden");
});

test("exported tags can be imported again, including those with semicolons and quotation marks", async ({
  workspace,
  other,
}) => {
  const tags = ["Q3; late", 'say "now"', "plain, with comma", "Ελλάδα"];
  expect(tagsOfCell(cellOfTags(tags))).toEqual(tags);
  expect(tagsOfCell("a;b ; ;c;")).toEqual(["a", "b", "c"]);
  await workspace.contract({ tags });
  const { text } = await exportCsv(workspace.ctx, "contracts.csv", ContractQuery.parse({}));
  let csv = "";
  for await (const part of text) csv += part;
  const [record] = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
  expect(tagsOfCell(record!.tags!)).toEqual(tags);
  const [owner] = (await other.api("GET /members")).body.data;
  const row = (cell: string) =>
    Buffer.from(
      `title,type,ourRole,ownerEmail,tags\nA,NDA,VENDOR,${owner.email},"${cell.replaceAll('"', '""')}"`,
    );
  const importing = (cell: string) =>
    importContracts(other.ctx, { csv: row(cell), folder: null, dryRun: false });
  expect(await importing(record!.tags!)).toMatchObject({ contracts: 1, errors: [] });
  expect((await other.api("GET /contracts")).body.data[0].tags).toEqual(tags);
  expect((await importing('a;"b')).errors).toMatchObject([{ path: "tags" }]);
  expect((await importing("a;A")).errors).toMatchObject([{ path: "tags.1" }]);
});

test("values that an export escapes as formulas are imported back unchanged", async ({
  workspace,
  other,
}) => {
  const titles = ["+1 support", "-5 °C storage", "=A1", "@home", "＝full width", "it's plain"];
  const tags = ["-old-", "@home"];
  for (const title of titles) await workspace.contract({ title, tags });
  const { text } = await exportCsv(workspace.ctx, "contracts.csv", ContractQuery.parse({}));
  let csv = "";
  for await (const part of text) csv += part;
  const exported = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
  expect(exported.map(({ title }) => title)).toContain("'=A1");
  const [owner] = (await other.api("GET /members")).body.data;
  const rows = exported.map((row) => `"${row.title}",NDA,VENDOR,${owner.email},"${row.tags}"`);
  const table = Buffer.from(["title,type,ourRole,ownerEmail,tags", ...rows].join("\n"));
  const report = await importContracts(other.ctx, { csv: table, folder: null, dryRun: false });
  expect(report).toMatchObject({ contracts: titles.length, errors: [] });
  const { data } = (await other.api("GET /contracts")).body;
  expect(data.map(({ title }: Json) => title).sort()).toEqual(titles.toSorted());
  for (const contract of data) expect(contract.tags).toEqual(tags);
});
