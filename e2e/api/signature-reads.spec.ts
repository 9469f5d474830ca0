/** What the API returns about signature requests that people sent and signed. */
import { createHash } from "node:crypto";
import { expect, test } from "../fixtures.ts";
import { asMember, draft, memberOf, sent, signerAt } from "../signing.ts";

test.setTimeout(300_000);

test("signature requests can be filtered, sorted and paged, and are returned with their progress", async ({
  workspace,
}) => {
  const { api } = workspace;
  const people = [{ name: "Ann" }, { name: "Ben" }, { name: "Cleo", orderIndex: 1 }];
  const [first, half, done] = [
    await draft(workspace, people),
    await sent(workspace, people),
    await sent(workspace, [{ name: "Wyn" }]),
  ];
  await (await signerAt(workspace, half, 1)).sign();
  await (await signerAt(workspace, done)).sign();
  const read = async (id: string) => (await api(`GET /signatures/${id}`)).body.envelope;
  await expect.poll(async () => (await read(done.id)).status, { timeout: 60_000 }).toBe("COMPLETED");

  const list = async (query: string) =>
    (await api(`GET /signatures?${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await list("")).toEqual([done.id, half.id, first.id]);
  expect(await list("dir=asc")).toEqual([first.id, half.id, done.id]);
  expect((await list("sort=updatedAt&dir=desc"))[0]).toBe(done.id);
  // Requests that are not completed come last, in both directions.
  for (const dir of ["asc", "desc"]) expect((await list(`sort=completedAt&dir=${dir}`))[0]).toBe(done.id);
  expect(await list("status=DRAFT&status=PARTIALLY_SIGNED")).toEqual([half.id, first.id]);
  expect(await list("pageSize=2&page=2")).toEqual([first.id]);
  expect(await list("q=wyn")).toEqual([done.id]);
  expect(await list("q=BEN&status=DRAFT")).toEqual([first.id]);
  expect(await list("q=%25")).toEqual([]);
  for (const wrong of ["sort=name", "dir=up", "status=OPEN"]) {
    expect((await api(`GET /signatures?${wrong}`)).status).toBe(422);
  }
  const ofContract = await api(`GET /contracts/${half.contractId}/signatures`);
  expect(ofContract.body.data.map(({ id }: { id: string }) => id)).toEqual([half.id]);
  expect(ofContract.body).toMatchObject({ total: 1 });

  expect((await read(first.id)).progress).toMatchObject({
    totalSigners: 3,
    signedCount: 0,
    awaitingCount: 3,
  });
  expect(await read(half.id)).toMatchObject({
    status: "PARTIALLY_SIGNED",
    contract: { id: half.contractId, status: "OUT_FOR_SIGNATURE" },
    progress: {
      ...{ totalSigners: 3, signedCount: 1, declinedCount: 0, awaitingCount: 2 },
      awaitingSigner: { name: "Ann" },
      lastSignedAt: expect.any(String),
    },
  });
  const handwritten = (await read(done.id)).fields.filter(
    ({ type }: { type: string }) => type === "SIGNATURE",
  );
  expect(handwritten).toMatchObject([{ filled: true, value: null }]);
  expect(await read(done.id)).toMatchObject({
    signedVersion: { fileName: "agreement (signed).pdf" },
    progress: { signedCount: 1, awaitingCount: 0, awaitingSigner: null },
  });
  const { signing } = (await api("GET /analytics/summary")).body.analytics;
  expect(signing).toEqual({ open: 1, medianHoursToComplete: expect.any(Number) });
});

test("what a signer has entered is hidden from members and API keys until they sign", async ({
  workspace,
}) => {
  const { api } = workspace;
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const ann = await signerAt(workspace, envelope, 0);
  await ann.fill();
  const answers = async () => [
    (await api(`GET /signatures/${envelope.id}`)).body.envelope,
    (await api("GET /signatures")).body.data[0],
    (await api(`GET /contracts/${envelope.contractId}/signatures`)).body.data[0],
    (await asMember(memberOf(workspace), "progress", { envelopeId: envelope.id })).envelope,
  ];
  type Entered = { signerId: string; type: string; filled: boolean; value: string | null };
  const entered = async () =>
    (await answers()).map(({ fields }: { fields: Entered[] }) =>
      fields.filter(({ filled, value }) => filled || value !== null).map(({ type, value }) => [type, value]),
    );
  expect(await entered()).toEqual([[], [], [], []]);
  // Ann herself sees all of it.
  const own = (await (await signerAt(workspace, envelope, 0)).state()).fields;
  expect(own.filter(({ filled }: Entered) => filled)).toHaveLength(2);
  await ann.act("finish");
  const signed = [
    ["DATE_SIGNED", expect.any(String)],
    ["SIGNATURE", null],
    ["TEXT", "Head of purchasing"],
  ];
  for (const told of await entered()) expect(told.sort()).toEqual(signed);
});

test("requesting a PDF that is not ready responds 409 and names the missing variant", async ({
  workspace,
}) => {
  const made = await draft(workspace, [{ name: "Ann" }]);
  const ask = async (id: string, query = "") => {
    const { status, body } = await workspace.api(`GET /signatures/${id}/pdf${query}`);
    return [status, body.error?.code ?? body.variant];
  };
  expect(await ask(made.id)).toEqual([409, "unsigned_pdf_not_ready"]);
  expect(await ask(made.id, "?variant=signed")).toEqual([409, "signed_pdf_not_ready"]);
  await asMember(memberOf(workspace), "send", { envelopeId: made.id });
  expect(await ask(made.id)).toEqual([200, "unsigned"]);
  expect(await ask(made.id, "?variant=signed")).toEqual([409, "signed_pdf_not_ready"]);
  expect(await ask(made.id, "?variant=draft")).toEqual([422, "validation_error"]);
});

const sha256 = (...parts: (Buffer | string)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

test("anyone who reads the events can recompute their hash chain as the API description says", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: 'Ann "Ελένη" \\ 김\t' }]);
  await (await signerAt(workspace, envelope)).agree();
  const { organizationId } = (await workspace.api("GET /me")).body;
  const events: Record<string, string | object | null>[] = [];
  for (let [page, pageCount] = [1, 1]; page <= pageCount; page++) {
    const asked = `GET /signatures/${envelope.id}/events?dir=asc&pageSize=3&page=${page}` as const;
    const { body } = await workspace.api(asked);
    events.push(...body.data);
    pageCount = body.pageCount;
  }
  expect(events.length).toBeGreaterThan(4);
  let before: Buffer | null = null;
  for (const [index, event] of events.entries()) {
    expect(event.prevHash).toBe(before?.toString("hex") ?? null);
    const own = ["id", "signerId", "type", "actor", "ipAddress", "userAgent", "details", "createdAt"];
    const values = own.map((name) => {
      const value = event[name]!;
      return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
    });
    const columns = [organizationId, event.envelopeId, String(index + 1), ...values];
    const text = `[${columns.map((column) => JSON.stringify(column)).join(", ")}]`;
    before = sha256(before ?? sha256(String(event.envelopeId)), text);
    expect(event.hash, JSON.stringify(event)).toBe(before.toString("hex"));
  }
});
