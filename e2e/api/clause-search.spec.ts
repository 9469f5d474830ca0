/** Finding clauses in documents: what is found, what is quoted, and who can find it. */
import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import { provideSettings } from "#lib/core/env.ts";
import { execute } from "#lib/core/execute.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { catchUpClauses, describeIndex, rebuildIndex } from "#lib/overview/search/catch-up.ts";
import { indexVersion } from "#lib/overview/search/clause-index.ts";
import { storeClauses } from "#lib/overview/search/clause-store.ts";
import { embedVersion } from "#lib/overview/search/embedding-job.ts";
import { search } from "#lib/overview/search/operations.ts";
import type { ClauseHits, ClauseSearch } from "#lib/overview/search/schema.ts";
import { learnWorkspace } from "#lib/overview/search/word-learning.ts";
import { admin } from "../admin.ts";
import { uploadForm } from "../documents.ts";
import { docx, docxType } from "../docx.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";
import { startReceiver } from "../receiver.ts";
import { memberOf } from "../signing.ts";

test.describe.configure({ timeout: 150_000 });

type Asked = Partial<Omit<ClauseSearch, "q">>;

type Found = z.output<typeof ClauseHits>;

const find = (ctx: Context, q: string, more: Asked = {}): Promise<Found> =>
  execute(search.clauses, ctx, { q, ...more });

async function quotes(workspace: Workspace, q: string, more: Asked = {}): Promise<string[]> {
  return (await find(memberOf(workspace), q, more)).hits.map(({ quote }) => quote);
}

/** Creates a version with a document of these pages, and waits until its clauses can be searched. */
async function indexed(workspace: Workspace, pages: string[][], contractId?: string) {
  const contract = contractId ?? (await workspace.contract()).id;
  const document = { fileName: "agreement.pdf", contentType: "application/pdf", bytes: await pdfOf(pages) };
  const made = await uploadForm(workspace.api, contract, document);
  expect(made.status, made.text).toBe(201);
  await untilIndexed(workspace);
  return { contractId: contract as string, versionId: made.body.version.id as string };
}

async function untilIndexed(workspace: Workspace): Promise<void> {
  const lacking = () =>
    housekeeping(
      (store) => store.$queryRaw<object[]>`SELECT FROM document_versions v
        LEFT JOIN clause_indexes i ON i.organization_id = v.organization_id AND i.version_id = v.id
        WHERE v.organization_id = ${workspace.organizationId} AND v.text_state <> 'FAILED' AND i.version_id IS NULL`,
    );
  await expect.poll(async () => (await lacking()).length, { timeout: 120_000 }).toBe(0);
}

/** Stores clauses as the document reader returns them, without a document. */
async function stored(workspace: Workspace, texts: string[], language = "english") {
  const { contractId, versionId } = await bare(workspace);
  const passages = texts.map((text) => ({ label: "", heading: "", text, pageIndex: 0, pageStarts: [] }));
  await storeClauses(workspace.ctx, { id: versionId, contractId }, { language, passages });
  return { contractId, versionId };
}

/** Creates a contract with a version that is marked as read. */
async function bare(workspace: Workspace, fields: object = {}) {
  const { id: contractId } = await workspace.contract({ ...fields });
  const versionId = `ver_${randomUUID()}`;
  await housekeeping((store) =>
    store.documentVersion.create({
      data: {
        ...{ organizationId: workspace.organizationId, id: versionId, contractId, versionNumber: 1 },
        ...{ source: "IMPORTED", fileName: "a.pdf", contentType: "application/pdf", sizeBytes: 1 },
        ...{ sha256: versionId, textState: "READY" },
      },
    }),
  );
  return { contractId, versionId };
}

test("search finds a clause of an uploaded PDF, with its heading, page and matched words", async ({
  workspace,
}) => {
  const counterparty = await workspace.api("POST /counterparties", { body: { name: "Northwind" } });
  const contract = await workspace.contract({
    title: "Supply agreement",
    counterpartyId: counterparty.body.counterparty.id,
  });
  const first = ["1. PAYMENT", "1.1 Invoices are payable within thirty days.", "2. TERM"];
  const second = ["2.1 This agreement renews every year unless a party", "gives notice of termination."];
  const { contractId, versionId } = await indexed(workspace, [first, second], contract.id);
  const { hits, indexing, hasMore } = await find(memberOf(workspace), "How is the renewal terminated?");
  expect(indexing).toEqual({ indexed: 1, total: 1 });
  expect(hasMore).toBe(false);
  expect(hits[0]).toMatchObject({
    contract: { id: contractId, title: "Supply agreement", status: "DRAFT", counterpartyName: "Northwind" },
    version: { id: versionId, versionNumber: 1, fileName: "agreement.pdf" },
    ...{ label: "2.1", heading: "TERM", pageIndex: 1 },
    quote: "This agreement renews every year unless a party gives notice of termination.",
  });
  const marked = hits[0]!.marks.map(([start, end]) => hits[0]!.quote.slice(start, end));
  expect(marked).toEqual(["renews", "termination"]);
  expect(hits[0]!.score).toBeGreaterThan(0);
});

test("search finds a clause of an uploaded DOCX", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const bytes = docx(["1. Escrow. The source code is deposited with an escrow agent."]);
  await uploadForm(workspace.api, id, { fileName: "a.docx", contentType: docxType, bytes });
  await expect
    .poll(() => quotes(workspace, "escrow"), { timeout: 140_000 })
    .toEqual(["Escrow. The source code is deposited with an escrow agent."]);
});

test("search ignores case, accents, word forms and ligatures", async ({ workspace }) => {
  await stored(workspace, [
    "Müller confirms the résumé.",
    "The parties indemnify each other.",
    "An oﬃce lease.",
  ]);
  expect(await quotes(workspace, "muller resume")).toEqual(["Müller confirms the résumé."]);
  expect(await quotes(workspace, "MÜLLER RÉSUMÉ")).toEqual(["Müller confirms the résumé."]);
  expect(await quotes(workspace, "indemnifying party")).toContain("The parties indemnify each other.");
  expect(await quotes(workspace, "office")).toEqual(["An oﬃce lease."]);
});

test("words joined by a slash or a missing space are found separately", async ({ workspace }) => {
  const stroke = "The Licensor/Licensee shall inspect and/or test the goods.";
  const space = "The price is due on delivery.Interest accrues after that.";
  await stored(workspace, [stroke, space, "Nothing of that."]);
  for (const q of ["licensee", "licensor", '"shall inspect and/or test"', "licensor/licensee"]) {
    expect(await quotes(workspace, q), q).toEqual([stroke]);
  }
  for (const q of ["interest", "deliveries", '"delivery interest accrues"']) {
    expect(await quotes(workspace, q), q).toEqual([space]);
  }
  const { hits } = await find(memberOf(workspace), "licensee");
  expect(hits[0]!.marks.map(([start, end]) => stroke.slice(start, end))).toEqual(["Licensee"]);
});

test("words within unspaced Chinese and Japanese text are found, alone and as a phrase", async ({
  workspace,
}) => {
  const secret = "双方应当遵守保密义务，不得向第三方披露。";
  const term = "本协议的期限为三年，自签署之日起生效。";
  const japanese = "契約期間は三年とする。";
  await stored(workspace, [secret, term, japanese]);
  expect((await quotes(workspace, "保密义务"))[0]).toBe(secret);
  expect(await quotes(workspace, '"保密义务"')).toEqual([secret]);
  expect(await quotes(workspace, '"期限"')).toEqual([term]);
  expect(await quotes(workspace, '"契約期間"')).toEqual([japanese]);
  expect(await quotes(workspace, '"义务保密"')).toEqual([]);
});

test("each document is stemmed in its own language", async ({ workspace }) => {
  await stored(workspace, ["Die Kündigungen erfolgen schriftlich."], "german");
  await stored(workspace, ["Notices are given in writing."]);
  expect(await quotes(workspace, "kundigung")).toEqual(["Die Kündigungen erfolgen schriftlich."]);
  expect(await quotes(workspace, "notice")).toEqual(["Notices are given in writing."]);
});

test("quoted text matches only as a phrase, including its stop words", async ({ workspace }) => {
  const phrase = "The goods are sold “AS IS” and without warranty.";
  const words = "The warranty is as stated, and goods sold are what the seller says.";
  await stored(workspace, [words, phrase]);
  expect(await quotes(workspace, "goods warranty")).toHaveLength(2);
  for (const q of ['"as is" warranty', '"as is"', "as is", '"goods are sold"', "„goods are sold“ warranty"]) {
    expect(await quotes(workspace, q), q).toEqual([phrase]);
  }
  const { hits } = await find(memberOf(workspace), '"as is"');
  expect(hits[0]!.marks.map(([start, end]) => phrase.slice(start, end))).toEqual(["AS", "IS"]);
  expect(await quotes(workspace, '"sold goods"')).toEqual([]);
});

test("a phrase matches its exact words and endings in order, whatever their case, accents and punctuation", async ({
  workspace,
}) => {
  const no = "This license is not transferable.";
  const yes = "This license is transferable, and transfers are free.";
  const apart = "The third party’s “résumé” is NOT\ntransferable — ever.";
  await stored(workspace, [no, yes, apart, "It is transferable, not sold."]);
  expect((await quotes(workspace, '"not transferable"')).sort()).toEqual([apart, no]);
  expect(await quotes(workspace, '"is transferable"')).not.toContain(no);
  expect(await quotes(workspace, '"transfers are free"')).toEqual([yes]);
  expect(await quotes(workspace, '"transfer is free"')).toEqual([]);
  expect(await quotes(workspace, '"third party\'s resume"')).toEqual([apart]);
  expect(await quotes(workspace, '"third party\'s resumes"')).toEqual([]);
  // However many near matches there are.
  await stored(
    workspace,
    Array.from({ length: 400 }, (_, n) => `Transferable ${n}.`),
  );
  expect((await quotes(workspace, '"not transferable"')).sort()).toEqual([apart, no]);
});

test("search uses the newest version with text, and an older version only on request", async ({
  workspace,
}) => {
  const old = await indexed(workspace, [["1. The rent is one thousand euros."]]);
  const { versionId } = await indexed(workspace, [["1. The rent is two thousand euros."]], old.contractId);
  expect(await quotes(workspace, "rent")).toEqual(["The rent is two thousand euros."]);
  expect(await quotes(workspace, "rent", { contractId: old.contractId })).toHaveLength(1);
  expect(await quotes(workspace, "rent", { versionId: old.versionId })).toEqual([
    "The rent is one thousand euros.",
  ]);
  // Indexing the older one again does not bring it back; and a scan without words does not displace the newest.
  await indexVersion({ organizationId: workspace.organizationId, versionId: old.versionId });
  await indexed(workspace, [[]], old.contractId);
  const { hits } = await find(memberOf(workspace), "rent");
  expect(hits.map(({ version }) => version.id)).toEqual([versionId]);
});

test("clause search can be filtered like the contract list, limited to one contract and paged", async ({
  workspace,
}) => {
  const texts = (name: string) => [`Delivery to ${name} by sea.`];
  const one = await stored(workspace, texts("Lisbon"));
  await stored(workspace, texts("Oslo"));
  await workspace.api(`POST /contracts/${one.contractId}/status`, { body: { next: "IN_REVIEW" } });
  expect(await quotes(workspace, "delivery", { status: ["IN_REVIEW"] })).toEqual(texts("Lisbon"));
  expect(await quotes(workspace, "delivery", { type: ["MSA"] })).toEqual([]);
  expect(await quotes(workspace, "delivery", { contractId: one.contractId })).toEqual(texts("Lisbon"));
  expect(await quotes(workspace, "delivery", { contractId: one.contractId, status: ["DRAFT"] })).toEqual([]);
  const pages = [1, 2, 3].map((page) => find(memberOf(workspace), "delivery sea", { limit: 1, page }));
  const [first, second, third] = await Promise.all(pages);
  expect([first!.hasMore, second!.hasMore, third!.hits]).toEqual([true, false, []]);
  expect([first!.hits[0]!.quote, second!.hits[0]!.quote].sort()).toEqual([
    ...texts("Lisbon"),
    ...texts("Oslo"),
  ]);
});

test("clause search never finds another workspace's documents, whatever IDs the query names", async ({
  workspace,
  other,
}) => {
  const { contractId, versionId } = await stored(workspace, ["The secret recipe stays secret."]);
  await stored(other, ["Nothing of note."]);
  for (const more of [{}, { contractId }, { versionId }, { ownerId: workspace.ownerId }]) {
    expect(await quotes(other, "secret recipe", more)).toEqual([]);
  }
  expect(await quotes(workspace, "secret recipe")).toHaveLength(1);
});

test("an empty query finds nothing, and unusual queries up to 500 characters are no error", async ({
  workspace,
}) => {
  await stored(workspace, ["A clause: it's 'quoted' & | ! <-> \\ odd."]);
  for (const q of [
    "",
    " ",
    '"',
    '""',
    "the",
    '"the"',
    "!&|()<->:*",
    "\\'",
    "🦄",
    '"'.repeat(500),
    "a ".repeat(250),
  ]) {
    expect((await find(memberOf(workspace), q)).indexing.total, q).toBe(1);
  }
  expect(await quotes(workspace, "")).toEqual([]);
  expect(await quotes(workspace, "it's 'quoted' \\ odd")).toHaveLength(1);
  await expect(find(memberOf(workspace), "x".repeat(501))).rejects.toMatchObject({
    code: "validation_error",
  });
  // A page beyond the last one.
  expect(await quotes(workspace, "clause", { page: 1_000_000 })).toEqual([]);
});

test("a viewer can search clauses", async ({ workspace }) => {
  await stored(workspace, ["Insurance is kept."]);
  const viewer = await signedIn(workspace, "viewer");
  const { status, body } = await viewer.call("search.clauses", { q: "insured" });
  expect([status, body.hits.length]).toEqual([200, 1]);
});

test("clauses missing from the index are indexed again by a job, and searches report the gap meanwhile", async ({
  workspace,
}) => {
  await indexed(workspace, [["1. The audit happens once a year."]]);
  const { organizationId } = workspace;
  await housekeeping((store) => store.clauseIndex.deleteMany({ where: { organizationId } }));
  const { hits, indexing } = await find(memberOf(workspace), "audit");
  expect([hits, indexing]).toEqual([[], { indexed: 0, total: 1 }]);
  await catchUpClauses();
  await untilIndexed(workspace);
  expect(await quotes(workspace, "audit")).toHaveLength(1);
});

test("the operator can read the search index's progress and rebuild it", async ({ workspace }) => {
  const { organizationId, ctx } = workspace;
  await indexed(workspace, [["1. Goods are inspected.", "2. Goods are returned."]]);
  const asked = ["search-index", "--organization", organizationId];
  expect(await admin({}, ...asked)).toEqual({ indexed: 1, total: 1, clauses: 2, words: 0 });
  await housekeeping((store) =>
    store.clause.updateMany({ where: { organizationId }, data: { text: "Lost." } }),
  );
  expect(await admin({}, ...asked, "--rebuild")).toEqual({ enqueued: 1 });
  await expect
    .poll(() => quotes(workspace, "inspect"), { timeout: 60_000 })
    .toEqual(["Goods are inspected."]);
  expect(await describeIndex(ctx)).toMatchObject({ indexed: 1, total: 1 });
  expect(await rebuildIndex({ ...ctx })).toEqual({ enqueued: 1 });
});

test("concurrent indexing jobs store each clause once", async ({ workspace }) => {
  const { versionId } = await indexed(workspace, [["1. One clause of a few words."]]);
  const payload = { organizationId: workspace.organizationId, versionId };
  await Promise.all([1, 2, 3].map(() => indexVersion(payload)));
  expect(await quotes(workspace, "clause")).toHaveLength(1);
});

test("search learns related words from the workspace's own clauses", async ({ workspace }) => {
  const say = (word: string, n: number) =>
    `The supplier shall ${word} the buyer from claims and losses ${n}.`;
  const other = (n: number) => `An invoice is payable in the currency of the price list ${n}.`;
  const texts = Array.from({ length: 300 }, (_, n) =>
    n % 2 ? other(n) : say(n % 4 ? "indemnify" : "safeguard", n),
  );
  await stored(workspace, [...texts, "To safeguard: that is what the guarantor does."]);
  await learnWorkspace({ organizationId: workspace.organizationId });
  const found = await quotes(workspace, "indemnify", { limit: 50, page: 4 });
  expect(
    found.some((quote) => quote.includes("safeguard")),
    "beyond those with the word itself",
  ).toBe(true);
  expect((await describeIndex(workspace.ctx)).words).toBeGreaterThan(5);
});

/** An embeddings endpoint: a text's vector says how much of it is about the sea, and how much about the land. */
async function startModel() {
  const count = (text: string, words: RegExp) => text.match(words)?.length ?? 0;
  const vector = (text: string) => [count(text, /ship|vessel|harbou?r/gi), count(text, /truck|road/gi), 0.1];
  return startReceiver(({ event }) => {
    const data = event.input.map((text: string, index: number) => ({ index, embedding: vector(text) }));
    return { status: 200, body: JSON.stringify({ data: data.reverse() }) };
  });
}

test("EMBEDDINGS_URL makes search rank clauses by meaning too, or by words while it does not respond", async ({
  workspace,
}) => {
  const model = await startModel();
  const settings = { EMBEDDINGS_URL: model.url, EMBEDDINGS_MODEL: "small", EMBEDDINGS_KEY: "sesame" };
  const sea = "Carriage by vessel, from harbour to harbour, is agreed between the parties to this contract.";
  const land = "Carriage by truck is agreed.";
  const { versionId } = await stored(workspace, [
    land,
    sea,
    "Carriage is paid.",
    "Nothing else is agreed here.",
  ]);
  const q = "carriage agreed for a ship";
  expect((await quotes(workspace, q))[0]).toBe(land);
  const payload = { organizationId: workspace.organizationId, versionId };
  try {
    provideSettings(settings);
    await embedVersion(payload);
    await embedVersion(payload);
    expect(model.received, "no clause is sent twice").toHaveLength(1);
    expect(model.received[0]).toMatchObject({
      path: "/hook/embeddings",
      headers: { authorization: "Bearer sesame" },
      event: { model: "small", input: expect.arrayContaining([sea]) },
    });
    expect((await quotes(workspace, q))[0]).toBe(sea);
    await model.close();
    expect((await quotes(workspace, q))[0], "while no one answers").toBe(land);
  } finally {
    provideSettings({ EMBEDDINGS_URL: "", EMBEDDINGS_MODEL: "", EMBEDDINGS_KEY: "" });
  }
});

test("clauses of archived contracts are found only on request", async ({ workspace }) => {
  const { contractId } = await stored(workspace, ["The tenant keeps the jetty in repair."]);
  const other = await stored(workspace, ["The jetty is closed in winter."]);
  expect(await quotes(workspace, "jetty")).toHaveLength(2);
  await workspace.api(`PATCH /contracts/${contractId}`, { body: { archived: true } });
  expect(await quotes(workspace, "jetty")).toEqual(["The jetty is closed in winter."]);
  expect(await quotes(workspace, "jetty", { status: ["DRAFT"] })).toHaveLength(1);
  expect(await quotes(workspace, "jetty", { archived: "true" })).toHaveLength(1);
  expect(await quotes(workspace, "jetty", { archived: "any" })).toHaveLength(2);
  expect(await quotes(workspace, "jetty", { contractId })).toHaveLength(1);
  expect(other.contractId).not.toBe(contractId);
});
