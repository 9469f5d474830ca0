/** The assistant server: what an assistant does with it, from connecting to a response, and who is turned away. */
import { setPlan } from "#lib/people/members/workspaces.ts";
import { connect, listTools, post, revisions, versionWith } from "../assistant.ts";
import { expect, test } from "../fixtures.ts";
import { keyWith } from "../keys.ts";

for (const revision of revisions) {
  test(`an MCP client of revision ${revision} can find, read, create and change contracts, and undo a change`, async ({
    workspace,
  }) => {
    const existing = await workspace.contract({ title: "Cloud services", effectiveDate: "2026-01-01" });
    const versionId = await versionWith(workspace, existing.id, [
      "1. Renewal. It renews unless notice is given 60 days before its end.",
      "2. Law. The law of Ireland applies.",
    ]);
    const { client, use } = await connect(workspace.key, revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toHaveLength(16);

    const found = await use("search_contracts", { q: "cloud" });
    expect(found.data.contracts.map(({ id }: { id: string }) => id)).toEqual([existing.id]);
    const link = `${process.env.BASE_URL}/contracts/${existing.id}`;
    expect(found.data.contracts[0]).toMatchObject({ link, effectiveDate: "2026-01-01" });
    for (const part of ["Cloud services", existing.id, link, "2026-01-01"])
      expect(found.text).toContain(part);

    const contract = await use("get_contract", { contractId: existing.id });
    expect(contract.data.versions[0]).toMatchObject({ id: versionId, versionNumber: 1 });
    const read = await use("read_document", { contractId: existing.id });
    expect(read.data.pages).toEqual([
      { page: 1, quotedText: "1. Renewal. It renews unless notice is given 60 days before its end." },
      { page: 2, quotedText: "2. Law. The law of Ireland applies." },
    ]);
    expect(read.text).toMatch(
      /\[quoted (\w+) from “agreement-1.pdf”, version 1, page 2 of 2\]\n2\. Law.*\n\[end of quoted \1\]/,
    );

    const made = await use("create_contract", {
      title: "Support",
      type: "SLA",
      ourRole: "CUSTOMER",
      ownerId: workspace.ownerId,
    });
    const contractId = made.data.contract.id;
    const updated = await use("update_contract", {
      contractId,
      title: "Premium support",
      effectiveDate: "2026-03-01",
      termMonths: 12,
    });
    expect(updated.data.changes[0]).toEqual({ field: "title", from: "Support", to: "Premium support" });
    const undone = await use(updated.data.undo.tool, updated.data.undo.arguments);
    expect(undone.data.contract).toMatchObject({ title: "Support", effectiveDate: null, termMonths: null });

    const moved = await use("set_contract_status", { contractId, next: "IN_REVIEW" });
    expect(moved.text).toContain("Changed: status from DRAFT to IN_REVIEW.");
    const obligation = await use("save_obligation", {
      contractId,
      kind: "PAYMENT",
      title: "Pay the first invoice",
      anchorType: "FIXED_DATE",
      fixedDate: "2031-05-01",
    });
    expect(obligation.data.obligation).toMatchObject({ dueDate: "2031-05-01", status: "UPCOMING" });
    const done = await use("save_obligation", {
      obligationId: obligation.data.obligation.id,
      status: "COMPLETED",
    });
    expect(done.data.undo.arguments.status).toBe("UPCOMING");

    const uri = `countersign://contracts/${existing.id}/versions/${versionId}?page=2`;
    const { contents } = await client.readResource({ uri });
    expect(contents[0]).toMatchObject({ uri, text: expect.stringContaining("The law of Ireland applies.") });
    const prompt = await client.getPrompt({ name: "renewals" });
    expect(JSON.stringify(prompt.messages)).toContain("notice");
    await client.close();
  });
}

test("an assistant's changes with an API key are logged as the key's", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const { use } = await connect(workspace.key);
  await use("update_contract", { contractId: id, title: "Renamed" });
  const { body } = await workspace.api("GET /audit-events?via=api&action=CONTRACT_UPDATED");
  expect(body.data[0]).toMatchObject({ actor: null, apiKey: { id: workspace.keyId }, contract: { id } });
});

test("a read-only key is offered no write tools, and calling one names the missing scope", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const { key } = await workspace.mint("read_only");
  const { client, refused } = await connect(key);
  const { tools } = await client.listTools();
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  expect(tools.map(({ name }) => name)).not.toContain("list_audit_events");
  const { code, message } = await refused("update_contract", { contractId: id, title: "Mine" });
  expect([code, message]).toEqual(["insufficient_scope", expect.stringContaining("contracts:write")]);
});

test("tools list every invalid field, and refuse foreign IDs, disallowed status changes and malformed cursors", async ({
  workspace,
  other,
}) => {
  const { id } = await workspace.contract();
  const theirs = await other.contract();
  const { refused } = await connect(workspace.key);
  const wrong = await refused("update_contract", { contractId: id, title: "", termMonths: 0, stray: 1 });
  expect(wrong.code).toBe("validation_error");
  expect(wrong.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    "stray",
    "termMonths",
    "title",
  ]);
  const foreign = await refused("get_contract", { contractId: theirs.id });
  expect(foreign.code).toBe("not_found");
  const move = await refused("set_contract_status", { contractId: id, next: "ACTIVE" });
  expect(move).toMatchObject({ code: "invalid_transition", message: expect.stringContaining("IN_REVIEW") });
  for (const contractId of ["", "\u0000", "x".repeat(5000), 7, null, undefined, { a: 1 }]) {
    expect(["validation_error", "not_found"]).toContain((await refused("get_contract", { contractId })).code);
  }
  const tools = { search_contracts: {}, read_document: { contractId: id }, list_audit_events: {} };
  for (const cursor of ["-1", "9".repeat(13), "1.", "0.0", "🙂", "x".repeat(600)]) {
    for (const [tool, input] of Object.entries(tools)) {
      const { code, issues } = await refused(tool, { ...input, cursor });
      expect([code, issues[0].path]).toEqual(["validation_error", "cursor"]);
    }
  }
});

test("the assistant server responds 402 while the subscription is inactive", async ({ workspace }) => {
  await setPlan(workspace.ctx, { status: "inactive" });
  const { status, text } = await post(listTools, { "x-api-key": workspace.key });
  expect([status, JSON.parse(text).error.code]).toEqual([402, "subscription_inactive"]);
});

test("a request without a valid key or token gets 401, and one with neither is pointed to the OAuth metadata", async () => {
  const none = await post(listTools);
  expect(none.status).toBe(401);
  expect(JSON.parse(none.text).error.code).toBe("missing_api_key");
  const metadata = `${process.env.BASE_URL}/.well-known/oauth-protected-resource/mcp`;
  expect(none.headers.get("www-authenticate")).toContain(`resource_metadata="${metadata}"`);
  const wrong = await post(listTools, { authorization: "Bearer of-no-one" });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get("www-authenticate")).toContain('error="invalid_token"');
  const mistyped = await post(listTools, { "x-api-key": "csk_mistyped" });
  expect([mistyped.status, JSON.parse(mistyped.text).error.code]).toEqual([401, "invalid_api_key"]);
});

test("a request with a foreign Origin header gets 403, and one with the server's own or none is accepted", async ({
  workspace,
}) => {
  const key = { "x-api-key": workspace.key };
  for (const origin of ["https://evil.example", "null", "not an origin"]) {
    expect((await post(listTools, { ...key, origin })).status).toBe(403);
  }
  expect((await post(listTools, { ...key, origin: process.env.BASE_URL! })).status).toBe(200);
  expect((await post(listTools, key)).status).toBe(200);
});

test("only a POST with one JSON message of limited size and depth is accepted", async ({ workspace }) => {
  const key = { "x-api-key": workspace.key };
  for (const method of ["GET", "DELETE", "PUT"]) {
    const { status, headers } = await post(null, key, method);
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  }
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_contract","arguments":${'{"a":'.repeat(200)}1${"}".repeat(200)}}}`;
  const cases: [body: unknown, headers: Record<string, string>, status: number][] = [
    ["{", {}, 400],
    [[listTools, listTools], {}, 422],
    [listTools, { "content-type": "text/plain" }, 415],
    [`{"a":"${"x".repeat(1024 * 1024)}"}`, {}, 413],
    [deep, {}, 422],
    [{}, {}, 400],
    [{ jsonrpc: "2.0", id: 1, method: "tools/call", params: null }, {}, 400],
  ];
  for (const [body, headers, status] of cases) {
    const reply = await post(body, { ...key, ...headers });
    expect(reply.status, JSON.stringify(body).slice(0, 80)).toBe(status);
  }
});

test("tools/list works without initialization, and responds with JSON, rate limit headers and no session", async ({
  workspace,
}) => {
  const reply = await post(listTools, { "x-api-key": workspace.key });
  expect(reply.headers.get("content-type")).toContain("application/json");
  expect(JSON.parse(reply.text).result.tools).toHaveLength(16);
  expect(Number(reply.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
  expect(reply.headers.get("mcp-session-id")).toBe(null);
});

test("get_contract leaves out what the key has no scope for, and only permitted tools are listed", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const { use, client } = await connect(await keyWith(workspace, ["contracts:read"]));
  const { data } = await use("get_contract", { contractId: id });
  expect(data).toMatchObject({ contract: { id }, openObligations: [], openObligationCount: null });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "search_contracts",
    "get_contract",
    "read_document",
    "compare_versions",
  ]);
});
