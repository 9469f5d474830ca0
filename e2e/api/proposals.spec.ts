/** What a document proposes for its contract: stored with its quote, and not counted until someone accepts it. */

import type { z } from "zod";
import { provideSettings } from "#lib/core/env.ts";
import { execute } from "#lib/core/execute.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { digestsDue } from "#lib/notifications/daily.ts";
import { sendDigest } from "#lib/notifications/send.ts";
import { proposals } from "#lib/proposals/operations.ts";
import { proposeFromVersion } from "#lib/proposals/read-version.ts";
import type { Proposals } from "#lib/proposals/schema.ts";
import { uploadForm } from "../documents.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { pdfOf } from "../pdf.ts";
import { startReceiver } from "../receiver.ts";
import { memberOf } from "../signing.ts";
import { received, subscribe } from "../webhooks.ts";

const preamble = [
  "MASTER SERVICES AGREEMENT",
  'This Master Services Agreement (the "Agreement") is made as of the 1st day of',
  'June, 2031 (the "Effective Date") by and between Northwind Traders, Inc. and',
  "Fabrikam Limited.",
];
const term = [
  "1. TERM. The initial term of this Agreement shall be three (3) years from the",
  "Effective Date and shall thereafter be automatically renewed for successive one (1)",
  "year periods unless either party gives written notice of its intention not to renew",
  "at least ninety (90) days prior to the end of the then-current term.",
  "2. FEES. Customer shall pay each invoice within thirty (30) days after receipt.",
];
const notice = "RENEWAL_NOTICE EXPIRATION_DATE 90 DAY BEFORE";

const document = async (pages: string[][]) => ({
  fileName: "agreement.pdf",
  contentType: "application/pdf",
  bytes: await pdfOf(pages),
});

async function upload(workspace: Workspace, contractId: string, pages: string[][]): Promise<string> {
  const made = await uploadForm(workspace.api, contractId, await document(pages));
  expect(made.status, made.text).toBe(201);
  const { id: versionId } = made.body.version;
  const isRead = () => housekeeping((store) => store.versionReading.count({ where: { versionId } }));
  await expect.poll(isRead, { timeout: 60_000 }).toBe(1);
  return versionId;
}

type Proposed = z.output<typeof Proposals>;

const proposed = (workspace: Workspace, id: string): Promise<Proposed> =>
  execute(proposals.list, memberOf(workspace), { id });

const schedules = ({ obligations }: Proposed) =>
  obligations.map(({ obligation: one }) =>
    [one.kind, one.anchorType, one.offsetValue, one.offsetUnit, one.offsetDirection].join(" "),
  );
const dated = ({ dates }: Proposed) => dates.map(({ anchor, value }) => `${anchor} ${value}`).sort();

test.describe.configure({ timeout: 150_000 });

test("proposed dates and obligations have a page and a verbatim quote, and take effect only once accepted", async ({
  workspace,
  other,
}) => {
  const receiver = await startReceiver();
  await subscribe(workspace, receiver, { events: ["obligation.created", "obligation.updated"] });
  const { id } = await workspace.contract();
  const versionId = await upload(workspace, id, [preamble, term]);
  const found = await proposed(workspace, id);
  expect(found.isReading).toBe(false);
  expect(dated(found)).toEqual(["EFFECTIVE_DATE 2031-06-01", "RENEWAL 12", "TERM 36"]);
  expect(schedules(found).sort()).toEqual(["PAYMENT EVENT 30 DAY AFTER", notice]);
  const pages = await housekeeping((store) =>
    store.documentPage.findMany({ where: { versionId }, orderBy: { pageIndex: "asc" } }),
  );
  for (const { page, quote } of [...found.dates, ...found.obligations]) {
    expect(pages[page! - 1]!.text).toContain(quote);
  }
  expect(found.dates.map(({ anchor, page }) => `${anchor} ${page}`).sort()).toEqual([
    "EFFECTIVE_DATE 1",
    "RENEWAL 2",
    "TERM 2",
  ]);
  const first = found.obligations.find(({ obligation }) => obligation.kind === "RENEWAL_NOTICE")!;
  expect(first).toMatchObject({
    page: 2,
    versionId,
    obligation: { source: "AI", status: "SUGGESTED", sourcePage: 2 },
  });

  // Excluded from every list that does not request them, and from the counts.
  for (const path of [`/contracts/${id}/obligations`, "/obligations"] as `/${string}`[]) {
    expect((await workspace.api(`GET ${path}`)).body.data).toEqual([]);
    expect((await workspace.api(`GET ${path}?status=SUGGESTED`)).body.data).toHaveLength(2);
  }
  const { body } = await workspace.api("GET /analytics/summary");
  expect(body.analytics.obligations).toEqual({ due: 0, overdue: 0 });
  const refusal = await execute(proposals.list, memberOf(other), { id }).catch((error) => error);
  expect(refusal).toMatchObject({ code: "not_found" });

  // The dates first, so that the notice's date can be calculated; accepted as proposed, or changed.
  const accept = (input: object) => execute(proposals.acceptDate, memberOf(workspace), { id, ...input });
  await accept({ anchor: "EFFECTIVE_DATE", value: "2031-06-01" });
  await accept({ anchor: "TERM", value: "36", months: 24 });
  expect((await workspace.api(`GET /contracts/${id}`)).body.contract).toMatchObject({
    effectiveDate: "2031-06-01T00:00:00.000Z",
    termMonths: 24,
  });
  await execute(proposals.rejectDate, memberOf(workspace), { id, anchor: "RENEWAL", value: "12" });
  const accepted = await workspace.api(`PATCH /obligations/${first.obligation.id}`, {
    body: { offsetValue: 60, status: "UPCOMING" },
  });
  expect(accepted.body.obligation).toMatchObject({
    status: "UPCOMING",
    resolvedDate: "2033-04-01T00:00:00.000Z",
  });
  // An accepted obligation is in the digest when it is due, like any other.
  const { organizationId, ownerId } = workspace;
  const due = await digestsDue(new Date("2033-03-25T08:00:00Z"));
  for (const told of due.filter((each) => each.organizationId === organizationId)) await sendDigest(told);
  const news = await housekeeping((store) =>
    store.notification.findMany({ where: { organizationId, userId: ownerId } }),
  );
  expect(news).toMatchObject([{ kind: "OBLIGATION_DUE", subjectId: first.obligation.id }]);
  const [payment] = (await proposed(workspace, id)).obligations;
  const rejected = await workspace.api(`PATCH /obligations/${payment!.obligation.id}`, {
    body: { status: "CANCELLED" },
  });
  expect(rejected.body.obligation.status).toBe("CANCELLED");
  const again = await workspace.api(`PATCH /obligations/${payment!.obligation.id}`, {
    body: { status: "UPCOMING" },
  });
  expect(again.status).toBe(409);
  expect(await proposed(workspace, id)).toMatchObject({ dates: [], obligations: [] });

  // Webhooks report the accepted obligation, and nothing before that.
  const [told] = await received(receiver, 1);
  expect(JSON.parse(told!.text)).toMatchObject({
    type: "obligation.created",
    data: { obligation: { id: first.obligation.id, status: "UPCOMING" }, previous: null },
  });
  const history = await workspace.api(`GET /audit-events?contractId=${id}`);
  const actions = history.body.data.map(({ action }: { action: string }) => action);
  expect(actions.filter((action: string) => /^OBLIGATION|DATE/.test(action))).toEqual([
    "OBLIGATION_REJECTED",
    "OBLIGATION_ACCEPTED",
    "CONTRACT_DATE_REJECTED",
    // The notice and the payment follow the contract's dates, which webhooks do not report.
    ...actions.filter((action: string) => action === "OBLIGATION_UPDATED"),
    "OBLIGATION_PROPOSED",
    "OBLIGATION_PROPOSED",
  ]);

  // Decided proposals do not come back: not with the next version, nor when the job runs again.
  const next = await upload(workspace, id, [preamble, [...term, "3. A new clause."]]);
  await proposeFromVersion({ organizationId: workspace.organizationId, versionId: next });
  expect(await proposed(workspace, id)).toMatchObject({
    dates: [],
    obligations: [],
  });
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
});

test("accepting a proposed date on an outdated page does not overwrite a date entered since", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  await upload(workspace, id, [preamble, term]);
  const before = dated(await proposed(workspace, id));
  expect(before).toEqual(["EFFECTIVE_DATE 2031-06-01", "RENEWAL 12", "TERM 36"]);
  const anchors = (body: object) => workspace.api(`PUT /contracts/${id}/anchors`, { body });
  const entered = { effectiveDate: "2031-07-01", termMonths: 24, autoRenews: true, renewalMonths: 6 };
  expect((await anchors(entered)).status).toBe(204);
  const code = (input: object) =>
    execute(proposals.acceptDate, memberOf(workspace), { id, ...input }).then(
      () => "accepted",
      (error) => `${error.code}: ${error.message}`,
    );
  const refused = /^conflict: Someone has entered this date since/;
  expect(await code({ anchor: "EFFECTIVE_DATE", value: "2031-06-01" })).toMatch(refused);
  expect(await code({ anchor: "TERM", value: "36", months: 30 })).toMatch(refused);
  expect(await code({ anchor: "RENEWAL", value: "12" })).toMatch(refused);
  expect((await workspace.api(`GET /contracts/${id}`)).body.contract).toMatchObject({
    ...entered,
    effectiveDate: "2031-07-01T00:00:00.000Z",
  });
  // Nothing was decided: once the entered dates are removed, the proposal can be accepted.
  await anchors({ effectiveDate: null, termMonths: null, autoRenews: false });
  expect(dated(await proposed(workspace, id))).toEqual(before);
  expect(await code({ anchor: "EFFECTIVE_DATE", value: "2031-06-01" })).toBe("accepted");
});

test("a proposal is withdrawn when a new version no longer contains it, and returns if a later one does", async ({
  workspace,
}) => {
  const receiver = await startReceiver();
  await subscribe(workspace, receiver, { events: ["obligation.created", "obligation.updated"] });
  const { id } = await workspace.contract();
  const terms = (days: string, years: string) => [
    preamble,
    [
      `1. TERM. The initial term of this Agreement shall be ${years} years from the`,
      ...term.slice(1, 3),
      `at least ${days} days prior to the end of the then-current term.`,
      `2. FEES. Customer shall pay each invoice within thirty (30) days after receipt.`,
    ],
  ];
  const noticeOf = (days: number) => `RENEWAL_NOTICE EXPIRATION_DATE ${days} DAY BEFORE`;
  const payment = "PAYMENT EVENT 30 DAY AFTER";
  await upload(workspace, id, terms("ninety (90)", "three (3)"));
  const first = await proposed(workspace, id);
  expect(schedules(first).sort()).toEqual([payment, noticeOf(90)]);
  const second = await upload(workspace, id, terms("sixty (60)", "two (2)"));
  const now = await proposed(workspace, id);
  expect(schedules(now).sort()).toEqual([payment, noticeOf(60)]);
  expect(dated(now)).toEqual(["EFFECTIVE_DATE 2031-06-01", "RENEWAL 12", "TERM 24"]);
  const old = first.obligations.find(({ obligation }) => obligation.kind === "RENEWAL_NOTICE")!.obligation;
  const gone = await workspace.api(`GET /obligations/${old.id}`);
  expect(gone.body.obligation.status).toBe("CANCELLED");
  // One that has an assignee stays, whatever later versions say.
  const notice60 = now.obligations.find(({ versionId }) => versionId === second)!.obligation;
  await workspace.api(`PATCH /obligations/${notice60.id}`, { body: { assigneeId: workspace.ownerId } });
  await upload(workspace, id, terms("ninety (90)", "three (3)"));
  const third = await proposed(workspace, id);
  expect(schedules(third).sort()).toEqual([payment, noticeOf(60), noticeOf(90)].sort());
  await upload(workspace, id, [["An agreement without any dates."]]);
  const last = await proposed(workspace, id);
  expect(schedules(last)).toEqual([noticeOf(60)]);
  expect(last.dates).toEqual([]);
  // The workspace's log records it, and webhooks do not report it.
  const history = await workspace.api(`GET /audit-events?contractId=${id}`);
  expect(history.body.data).toContainEqual(
    expect.objectContaining({
      action: "OBLIGATION_UPDATED",
      payload: expect.objectContaining({
        target: { type: "obligation", id: old.id },
        changes: { status: { from: "SUGGESTED", to: "CANCELLED" } },
      }),
    }),
  );
  expect(receiver.received).toEqual([]);
  await receiver.close();
});

/** Creates a contract with a version whose pages are marked as read. */
async function withPages(workspace: Workspace, pages: string[]) {
  const { id } = await workspace.contract();
  const { organizationId } = workspace;
  const versionId = newId("version");
  await housekeeping(async (store) => {
    await store.documentVersion.create({
      data: {
        ...{ organizationId, id: versionId, contractId: id, versionNumber: 1 },
        ...{ source: "IMPORTED", fileName: "a.pdf", contentType: "application/pdf", sizeBytes: 1 },
        ...{ sha256: versionId, textState: "READY" },
      },
    });
    const data = pages.map((text, pageIndex) => ({ organizationId, versionId, pageIndex, text }));
    await store.documentPage.createMany({ data });
  });
  return { id: id as string, payload: { organizationId, versionId } };
}

test("with LLM_URL, a model adds proposals with verbatim quotes, and rules still propose when it fails", async ({
  workspace,
}) => {
  const quote = "Supplier shall deliver the spare parts in the first week of each year.";
  const { id, payload } = await withPages(workspace, [preamble.join("\n"), [...term, quote].join("\n")]);
  const more = {
    ...{ kind: "DELIVERABLE", title: "Deliver the spare parts", anchorType: "EFFECTIVE_DATE" },
    ...{ offsetValue: 1, offsetUnit: "WEEK", offsetDirection: "AFTER", recurrenceMonths: 12 },
    ...{ page: 2, quote, reasoning: "Every year." },
  };
  const said = { proposals: [more, { ...more, title: "Invented", quote: quote.replace("first", "last") }] };
  const content = JSON.stringify(said);
  const body = JSON.stringify({ choices: [{ message: { content } }] });
  const model = await startReceiver((_, nth) => (nth === 0 ? 500 : { status: 200, body }));
  const titles = async () =>
    (await proposed(workspace, id)).obligations.map(({ obligation }) => obligation.title).sort();
  try {
    provideSettings({ LLM_URL: model.url, LLM_MODEL: "reader", LLM_KEY: "sesame" });
    await expect(proposeFromVersion(payload)).rejects.toThrow("LLM_URL answered 500.");
    const ofRules = ["Give notice if the contract should not renew", "Pay within 30 days"];
    expect(await titles()).toEqual(ofRules);
    // Twice at once, and once more: each is proposed only once.
    await Promise.all([proposeFromVersion(payload), proposeFromVersion(payload)]);
    await proposeFromVersion(payload);
    expect(await titles()).toEqual(["Deliver the spare parts", ...ofRules]);
    expect(model.received[0]).toMatchObject({
      path: "/hook/chat/completions",
      headers: { authorization: "Bearer sesame" },
      event: { model: "reader" },
    });
  } finally {
    provideSettings({ LLM_URL: "", LLM_MODEL: "", LLM_KEY: "" });
    await model.close();
  }
});
