/** An assistant that a member connected, at /mcp: what it finds, what it is refused, and how access ends. */
import { connect, post, revisions } from "../assistant.ts";
import { connected } from "../assistants.ts";
import { inJson } from "../documents.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";

const renewal = "2.1 The agreement renews automatically unless notice is given ninety days before its end.";

/** Creates a contract that renews, with a document of two pages. */
async function renewing(workspace: Workspace, title: string): Promise<string> {
  const bytes = await pdfOf([["1. Subject", "Hosting of the platform."], [renewal]]);
  const document = inJson({ fileName: "hosting.pdf", contentType: "application/pdf", bytes });
  const start = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10);
  const term = { effectiveDate: start, termMonths: 12, autoRenews: true, renewalMonths: 12 };
  return (await workspace.contract({ title, document, ...term })).id;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const calling = (name: string, input: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: input },
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("a read-only assistant quotes renewal clauses with links, cannot write, and loses access when revoked", async ({
  workspace,
}) => {
  const contractId = await renewing(workspace, "Hosting");
  const { access, person } = await connected(workspace, ["contracts:read", "search:read"]);
  for (const revision of revisions) {
    const { client, use } = await connect(access, revision);
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    const question = {
      q: "automatic renewal notice",
      autoRenews: true,
      expiresFrom: inDays(0),
      expiresTo: inDays(90),
    };
    const ask = async () => (await use("search_contracts", question)).data.clauses;
    // Jobs read and index the document.
    await expect.poll(async () => (await ask()).length, { timeout: 60_000 }).toBeGreaterThan(0);
    const [clause] = await ask();
    expect(clause).toMatchObject({ page: 2, contract: { id: contractId } });
    expect(clause.quote).toContain("unless notice is given ninety days before its end");
    const page = await person.get(clause.link.slice(process.env.BASE_URL!.length));
    expect(page.status).toBe(200);
    const { text } = await use("search_contracts", question);
    expect(text).toContain(clause.quote);
    await client.close();
  }

  const change = calling("update_contract", { contractId, title: "Taken over" });
  const refusal = await post(change, bearer(access));
  expect(refusal.text).toContain("insufficient_scope");
  const { body } = await workspace.api(`GET /contracts/${contractId}`);
  expect(body.contract.title).toBe("Hosting");

  const [grant] = (await person.call("assistants.list")).body.data;
  expect((await person.call("assistants.revoke", { id: grant.id })).status).toBe(204);
  const ended = await post(calling("search_contracts", {}), bearer(access));
  expect(ended.status).toBe(401);
  expect(ended.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token", resource_metadata="/);
});

test("a call without a needed scope gets 403 with a WWW-Authenticate challenge that names the scope", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  await owner.call("assistants.setPolicy", { policy: "as_granted" });
  const { id } = await workspace.contract();
  const { access } = await connected(workspace, ["contracts:read"]);
  const refusal = await post(calling("update_contract", { contractId: id, title: "New" }), bearer(access));
  expect(refusal.status).toBe(403);
  expect(refusal.headers.get("www-authenticate")).toMatch(
    /^Bearer error="insufficient_scope", scope="contracts:read contracts:write", resource_metadata="/,
  );
});

test("an assistant's changes are logged as its member's, and role and policy changes apply from its next call", async ({
  workspace,
}) => {
  const owner = await signedIn(workspace, "owner");
  await owner.call("assistants.setPolicy", { policy: "as_granted" });
  const { id: contractId } = await workspace.contract({ title: "Before" });
  const { access, person } = await connected(workspace, ["contracts:read", "contracts:write"]);
  const assistant = await connect(access);
  await assistant.use("update_contract", { contractId, title: "After" });
  const log = await workspace.api("GET /audit-events?via=assistant&action=CONTRACT_UPDATED");
  expect(log.body.data).toHaveLength(1);
  expect(log.body.data[0]).toMatchObject({
    actor: { id: person.userId },
    assistant: { name: "Claude" },
    apiKey: null,
  });
  const byPeople = await workspace.api("GET /audit-events?via=user&action=CONTRACT_UPDATED");
  expect(byPeople.body.data).toEqual([]);

  await workspace.api(`PATCH /members/${person.memberId}`, { body: { role: "viewer" } });
  const refused = await assistant.refused("update_contract", { contractId, title: "Again" });
  expect(refused.message).toMatch(/role/);
  await owner.call("assistants.setPolicy", { policy: "off" });
  expect((await post(calling("search_contracts", {}), bearer(access))).status).toBe(401);
});
