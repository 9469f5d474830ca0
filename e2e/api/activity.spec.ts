/** The activity of a contract, as everyone who may read the contract sees it. */
import { expect, test } from "../fixtures.ts";
import { code, newMember, signedIn } from "../members.ts";
import { sent, signerAt } from "../signing.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

test("every role can page through all of a contract's activity, without IPs, user agents or request IDs", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "김민준" }]);
  await (await signerAt(workspace, envelope)).sign();
  const id = envelope.contractId;
  const status = async () => (await workspace.api(`GET /signatures/${envelope.id}`)).body.envelope?.status;
  // Sealing is also in the log.
  await expect.poll(status, { timeout: 60_000 }).toBe("COMPLETED");
  for (let change = 1; change <= 5; change++) {
    const headers = { "user-agent": "secret-browser/1", "x-request-id": "secret-request" };
    await workspace.api(`PATCH /contracts/${id}`, { body: { title: `Title ${change}` }, headers });
  }
  const { body: log } = await workspace.api(`GET /audit-events?contractId=${id}&limit=200`);
  for (const role of ["owner", "admin", "member", "viewer"] as const) {
    const member = await signedIn(workspace, role);
    const read: Json[] = [];
    let cursor: string | null = null;
    do {
      const reply: Json = await member.call("contracts.activity", {
        id,
        limit: 3,
        ...(cursor ? { cursor } : {}),
      });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.text).not.toMatch(/secret-|203\.0\.113|127\.0\.0\.1|userAgent|requestId|"ip"/);
      expect(reply.body.data.length).toBeLessThanOrEqual(3);
      read.push(...reply.body.data);
      cursor = reply.body.nextCursor;
    } while (cursor);
    expect(read.map((event) => event.id)).toEqual(log.data.map((event: Json) => event.id));
    const signed = read.find(({ action }) => action === "SIGNATURE_REQUEST_SIGNED");
    expect(signed.by).toEqual({ kind: "SIGNER", name: "김민준", assistant: null });
    expect(read.at(-1)).toMatchObject({ action: "CONTRACT_CREATED", by: { kind: "API_KEY" } });
    const some = { id, about: ["documents", "signatures"] as const, limit: 4 };
    const first = (await member.call("contracts.activity", { ...some, about: [...some.about] })).body;
    const { nextCursor: next } = first;
    const rest = await member.call("contracts.activity", {
      ...some,
      about: [...some.about],
      limit: 99,
      cursor: next,
    });
    expect([...first.data, ...rest.body.data].map((event) => event.id)).toEqual(
      read.filter(({ action }) => /^(VERSION|SIGNATURE)_/.test(action)).map((event) => event.id),
    );
  }
});

test("activity describes changes with names instead of IDs and amounts with their currency", async ({
  workspace,
}) => {
  const { id } = await workspace.contract({ valueCents: "123456789012345678", valueCurrency: "EUR" });
  const heir = await newMember(workspace, "member", "Ελένη Παπαδοπούλου");
  const { body: made } = await workspace.api("POST /counterparties", { body: { name: "Ostrom & Søn" } });
  const patch = (body: object) => workspace.api(`PATCH /contracts/${id}`, { body });
  await patch({ ownerId: heir.userId });
  await patch({ counterpartyId: made.counterparty.id, type: "ORDER_FORM" });
  await patch({ valueCents: "250" });
  await patch({ valueCents: "9000", valueCurrency: "JPY" });
  await patch({ effectiveDate: "2026-01-31", autoRenews: true });
  await patch({ title: "SIEMENS" });
  const member = await signedIn(workspace, "viewer");
  const { body } = await member.call("contracts.activity", { id });
  type Line = Record<"field" | "from" | "to", string | null>;
  const text = ({ field, from, to }: Line) => `${field}: ${from} → ${to}`;
  const changes = body.data.slice(0, 6).map((event: { changes: Line[] }) => event.changes.map(text).sort());
  expect(changes).toEqual([
    [expect.stringMatching(/^Title: .* → SIEMENS$/)],
    ["Auto renews: No → Yes", "Effective date: null → 2026-01-31"],
    ["Value: EUR 2.50 → JPY 9,000"],
    ["Value: EUR 1,234,567,890,123,456.78 → EUR 2.50"],
    ["Counterparty: null → Ostrom & Søn", "Type: NDA → Order form"],
    ["Owner: Olive Owner → Ελένη Παπαδοπούλου"],
  ]);
});

test("activity shows an obligation's status in words", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const duty = { contractId: id, kind: "PAYMENT", title: "Pay", anchorType: "FIXED_DATE" };
  const made = await workspace.api("POST /obligations", { body: { ...duty, fixedDate: "2031-01-31" } });
  const path = made.headers.get("location")!.replace("/api/v1", "") as `/${string}`;
  await workspace.api(`PATCH ${path}`, { body: { fixedDate: new Date().toISOString().slice(0, 10) } });
  const member = await signedIn(workspace, "viewer");
  const { body } = await member.call("contracts.activity", { id });
  expect(body.data[0].changes).toContainEqual({ field: "Status", from: "Upcoming", to: "Due" });
});

test("activity of another workspace's contract is not found, and a foreign or malformed cursor is refused", async ({
  workspace,
  other,
}) => {
  const { id } = await workspace.contract();
  const theirs = await other.contract();
  for (const title of ["a", "b"]) await other.api(`PATCH /contracts/${theirs.id}`, { body: { title } });
  const [member, stranger] = [await signedIn(workspace, "viewer"), await signedIn(other, "owner")];
  expect(code(await stranger.call("contracts.activity", { id }))).toBe("404 not_found");
  const { body } = await stranger.call("contracts.activity", { id: theirs.id, limit: 1 });
  for (const cursor of [body.nextCursor, `${body.nextCursor}x`, "abc"]) {
    expect(code(await member.call("contracts.activity", { id, cursor }))).toBe("422 validation_error");
  }
});
