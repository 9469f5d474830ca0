/** What changes with the clock alone, tested on the API in this process, whose clock the tests set. */
import { randomUUID } from "node:crypto";
import { clock, setClock } from "#lib/core/clock.ts";
import { addDays, dayOf } from "#lib/core/dates.ts";
import { handleKeyRequest } from "#lib/doors/key.ts";
import { forgetOldAnswers } from "#lib/http/idempotency.ts";
import { expect, test, type Workspace } from "../fixtures.ts";

const daySeconds = 24 * 60 * 60;

test.describe.configure({ mode: "serial" });

test.afterEach(() => goTo(0));

/** Sets this process's clock ahead by this many seconds. */
function goTo(seconds: number): void {
  setClock(() => new Date(Date.now() + seconds * 1000));
}

/** Sends a request to the API in this process. */
async function ask(
  { key }: Workspace,
  line: string,
  { body, headers = {} }: { body?: object; headers?: object } = {},
) {
  const [method = "", path = ""] = line.split(" ");
  const text = body && JSON.stringify(body);
  const all: Record<string, string> = { "x-api-key": key, ...headers };
  if (text) all["content-type"] = "application/json";
  const {
    status,
    headers: told,
    body: said,
  } = await handleKeyRequest({
    method,
    url: `/api/v1${path}`,
    ip: "127.0.0.1",
    header: (name) => all[name],
    async *chunks() {
      if (text) yield Buffer.from(text);
    },
    gone: () => new AbortController().signal,
  });
  return { status, headers: told, body: said ? JSON.parse(String(said)) : null };
}

test("an obligation that becomes overdue at midnight is shown as overdue, even without a write", async ({
  workspace,
}) => {
  const { id: contractId } = await workspace.contract();
  const duty = { contractId, kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE" };
  const body = { ...duty, fixedDate: dayOf(clock()) };
  const made = await ask(workspace, "POST /obligations", { body });
  expect(made.status).toBe(201);
  const path = made.headers.location!.replace("/api/v1", "");
  const statuses = async () => {
    const one = await ask(workspace, `GET ${path}`);
    const list = await ask(workspace, "GET /obligations");
    const late = await ask(workspace, "GET /obligations?status=OVERDUE");
    const ofContract = await ask(workspace, `GET /contracts/${contractId}/obligations`);
    const summary = await ask(workspace, "GET /analytics/summary");
    return [
      one.body.obligation.status,
      list.body.data[0].status,
      late.body.total,
      ofContract.body.data[0].status,
      summary.body.analytics.obligations,
    ];
  };
  const due = ["DUE", "DUE", 0, "DUE", { due: 1, overdue: 0 }];
  expect(await statuses()).toEqual(due);
  expect(await statuses(), "the same again").toEqual(due);
  goTo(daySeconds);
  expect(await statuses()).toEqual(["OVERDUE", "OVERDUE", 1, "OVERDUE", { due: 0, overdue: 1 }]);
  goTo(0);
  expect(await statuses()).toEqual(due);
  expect(addDays(dayOf(clock()), 0)).toBe(body.fixedDate.slice(0, 10));
});

test("an Idempotency-Key replays its response for 24 hours and no longer", async ({ workspace }) => {
  const headers = { "idempotency-key": randomUUID() };
  const send = () => ask(workspace, "POST /counterparties", { body: { name: "Once a day" }, headers });
  const first = await send();
  expect(first.status).toBe(201);
  for (const minutes of [1, 25, 60, 24 * 60 - 1]) {
    goTo(minutes * 60);
    // As the hourly job does.
    await forgetOldAnswers(clock());
    const again = await send();
    expect([again.status, again.headers["idempotent-replayed"]], `after ${minutes} minutes`).toEqual([
      201,
      "true",
    ]);
    expect(again.body).toEqual(first.body);
  }
  goTo(daySeconds + 60);
  const later = await send();
  expect([later.status, later.headers["idempotent-replayed"]]).toEqual([201, undefined]);
  expect(later.body.counterparty.id).not.toBe(first.body.counterparty.id);
});
