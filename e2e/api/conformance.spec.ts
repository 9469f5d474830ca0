/** What holds for every endpoint of the route table, so that a new one cannot miss it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { database } from "#lib/core/db.ts";
import { type AnyOperation, successStatusOf } from "#lib/core/operation.ts";
import { scopes } from "#lib/core/scopes.ts";
import { routes } from "#lib/routes.ts";
import { simplePdf } from "../corpus/pdf.ts";
import { inJson, uploadForm } from "../documents.ts";
import { type Asking, expect, type Reply, test } from "../fixtures.ts";
import { keyWith } from "../keys.ts";
import { newMember } from "../members.ts";
import { root } from "../server.ts";
import { asMember, contractWithPdf, memberOf } from "../signing.ts";

const table = Object.entries(routes) as [`${string} /${string}`, AnyOperation][];
const elsewhere = "ctr_01jz3m5k8pe9qs4vnhb6w2x0ra";

const pdf = (mark: string) => ({
  fileName: "a.pdf",
  contentType: "application/pdf",
  bytes: simplePdf(mark),
});

const filled = (route: `${string} /${string}`) => route.replace(/\{\w+\}/g, elsewhere) as typeof route;
const takesBody = (route: string) => !/^(GET|DELETE) /.test(route);
const bodyFor = (route: string): Asking => (takesBody(route) ? { body: {} } : {});

/** Expects the one shape that all errors have. */
function expectError(reply: Reply, status: number, code: string): void {
  expect(reply.status, reply.text).toBe(status);
  expect(Object.keys(reply.body)).toEqual(["error"]);
  expect(Object.keys(reply.body.error)).toEqual(["code", "message", "details"]);
  expect(reply.body.error.code).toBe(code);
  expect(reply.body.error.message).not.toBe("");
  if (code !== "validation_error") expect(reply.body.error.details).toBeNull();
  expect(reply.headers.get("x-request-id")).toBeTruthy();
}

for (const [route, operation] of table) {
  test.describe(route, () => {
    test("requires a valid API key", async ({ workspace }) => {
      expectError(
        await workspace.api(filled(route), { ...bodyFor(route), key: null }),
        401,
        "missing_api_key",
      );
      for (const key of [
        "",
        "nonsense",
        `${workspace.key.slice(0, -1)}!`,
        workspace.key.replace(/.$/, "x0"),
      ]) {
        const code = key === "" ? "missing_api_key" : "invalid_api_key";
        expectError(await workspace.api(filled(route), { ...bodyFor(route), key }), 401, code);
      }
    });

    test("requires each of its scopes, and names a missing one", async ({ workspace }) => {
      for (const scope of operation.scopes) {
        const key = await keyWith(
          workspace,
          scopes.filter((other) => other !== scope),
        );
        const reply = await workspace.api(filled(route), { ...bodyFor(route), key });
        expectError(reply, 403, "insufficient_scope");
        expect(reply.body.error.message).toContain(scope);
      }
    });

    test("responds with rate limit headers", async ({ workspace }) => {
      const { headers } = await workspace.api(filled(route), bodyFor(route));
      expect(headers.get("ratelimit-policy")).toBe('"default";q=600;w=60');
      expect(headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
      for (const name of ["limit", "remaining", "reset"]) {
        expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      }
    });

    if (takesBody(route)) {
      test("refuses a body that is not a JSON object, and names every unknown field", async ({
        workspace,
      }) => {
        for (const raw of ["{", "nonsense", '"\xff']) {
          expectError(await workspace.api(route, { raw }), 400, "invalid_body");
        }
        for (const raw of ["[]", "null", "1", '"text"']) {
          const reply = await workspace.api(filled(route), { raw });
          expectError(reply, 422, "validation_error");
          expect(reply.body.error.details.issues).toContainEqual(expect.objectContaining({ path: "" }));
        }
        const unknown = await workspace.api(filled(route), { body: { nosuchfield: 1, alsounknown: 2 } });
        expectError(unknown, 422, "validation_error");
        const paths = unknown.body.error.details.issues.map((issue: { path: string }) => issue.path);
        expect(paths).toEqual(expect.arrayContaining(["nosuchfield", "alsounknown"]));
        const form = await workspace.api(filled(route), {
          raw: "a=b",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        });
        expectError(form, 415, "unsupported_media_type");
      });
    }

    if (route.includes("{")) {
      test("responds 404 to another workspace's ID", async ({ workspace, other }) => {
        const made = await madeIn(other, route);
        const reply = await workspace.api(made.route, { body: takesBody(route) ? made.body : undefined });
        expectError(reply, 404, "not_found");
      });
    }

    if (/^(PATCH|PUT) /.test(route)) {
      test("refuses a stale If-Match with 412 and changes nothing", async ({ workspace }) => {
        await newMember(workspace, "member");
        const { route: own, body } = await madeIn(workspace, route);
        const before = await auditCount(workspace);
        const stale = await workspace.api(own, { body, headers: { "if-match": '"stale"' } });
        expectError(stale, 412, "precondition_failed");
        expect(await auditCount(workspace)).toBe(before);
        const any = await workspace.api(own, { body, headers: { "if-match": "*" } });
        expect([200, 204], any.text).toContain(any.status);
      });
    }

    test("has a route file and a valid success status", () => {
      const path = route.split(" ")[1]!.replaceAll("{", "[").replaceAll("}", "]");
      expect(existsSync(join(root, "app", "api", "v1", path, "route.ts"))).toBe(true);
      expect(successStatusOf(operation)).toBe(
        operation.output ? (operation.status ?? 200) : successStatusOf(operation),
      );
      if (operation.output) expect([200, 201, 202]).toContain(successStatusOf(operation));
    });
  });
}

async function auditCount({ organizationId }: { organizationId: string }): Promise<number> {
  return database().prisma.auditEvent.count({ where: { organizationId } });
}

/** Fills a route with ids that exist in another workspace, and with a body that would be valid there. */
async function madeIn(other: Parameters<Parameters<typeof test>[2]>[0]["other"], route: string) {
  const contract = await other.contract();
  const { body: party } = await other.api("POST /counterparties", { body: { name: "Theirs" } });
  const counterparty = party.counterparty;
  const contact = await other.api(`POST /counterparties/${counterparty.id}/contacts`, {
    body: { name: "Ann", email: "ann@theirs.example" },
  });
  const obligation = await other.api("POST /obligations", {
    body: { contractId: contract.id, kind: "OTHER", title: "Theirs", anchorType: "EVENT" },
  });
  const invited = await other.api("POST /members/invitations", { body: { email: "new@theirs.example" } });
  const members = await other.api("GET /members");
  const made = await other.api("POST /webhook-endpoints", {
    body: { url: "http://127.0.0.1:9/", events: ["webhook.test"] },
  });
  const endpointId = made.body.endpoint.id;
  const tested = await other.api(`POST /webhook-endpoints/${endpointId}/test`);
  const versionId =
    route.includes("{versionId}") &&
    (await uploadForm(other.api, contract.id, pdf("theirs"))).body.version.id;
  const ids: Record<string, string> = {
    "/webhook-endpoints/{id}": endpointId,
    ...(versionId ? { "{versionId}": versionId } : {}),
    "{deliveryId}": tested.body.delivery.id,
    "/contracts/{id}": contract.id,
    "/counterparties/{id}": counterparty.id,
    "/obligations/{id}": obligation.headers.get("location")!.split("/").at(-1)!,
    "/members/invitations/{id}": invited.body.invitation.id,
    "{memberId}": members.body.data[0].memberId,
    "{contactId}": contact.body.contact.id,
    ...(route.includes("{envelopeId}") ? { "{envelopeId}": await envelopeIn(other) } : {}),
  };
  let path = route;
  for (const [pattern, id] of Object.entries(ids)) {
    path = path.replace(pattern, pattern.replace(/\{\w+\}/, id));
  }
  const bodies: [RegExp, unknown][] = [
    [/\/versions$/, { document: inJson(pdf("ours")) }],
    [/\/status$/, { next: "IN_REVIEW" }],
    [/\/counterparty$/, { counterpartyId: counterparty.id }],
    [/\/notes$/, { notes: "x" }],
    [/\/contacts$/, { name: "B", email: "b@x.example" }],
    [/^PATCH \/members/, { role: "viewer" }],
    [/\/recover$/, { since: "2026-01-01" }],
  ];
  const body = bodies.find(([pattern]) => pattern.test(route))?.[1] ?? {};
  return { route: path.replace(/\{\w+\}/g, elsewhere) as `${string} /${string}`, body };
}

async function envelopeIn(other: Parameters<typeof memberOf>[0]): Promise<string> {
  const { contract } = await contractWithPdf(other);
  return (await asMember(memberOf(other), "createDraft", { contractId: contract.id })).envelope.id;
}

test("an unknown path under /api/v1 is a JSON 404, with or without a key", async ({ workspace }) => {
  for (const path of [
    "/",
    "/nothing",
    "/contracts/a/b/c",
    "/Contracts",
    "/contracts/",
    "/contracts/%zz",
  ] as const) {
    expectError(await workspace.api(`GET ${path}`), 404, "not_found");
    expectError(await workspace.api(`GET ${path}`, { key: null }), 404, "not_found");
  }
});

test("the 404 message for /api/v1 itself names the path as /", async ({ workspace }) => {
  const { body } = await workspace.api("GET " as "GET /");
  expect(body.error.message).toBe("There is nothing at /. GET /openapi.json lists all endpoints.");
});

test("an unsupported method is 405, and the Allow header lists the supported ones", async ({ workspace }) => {
  const reply = await workspace.api("DELETE /contracts");
  expectError(reply, 405, "method_not_allowed");
  expect(reply.headers.get("allow")).toBe("GET, HEAD, POST");
  expectError(await workspace.api("POST /me", { body: {} }), 405, "method_not_allowed");
});

test("a contract ID with a NUL, a wildcard or a thousand characters is 404", async ({ workspace }) => {
  for (const id of ["%00", "%25", "x".repeat(1000), "..%2f..", "ctr_%F0%9F%92%A9"]) {
    expectError(await workspace.api(`GET /contracts/${id}`), 404, "not_found");
  }
});

test("an inactive subscription gets 402 from every endpoint except GET /me", async ({ workspace }) => {
  const { setPlan } = await import("#lib/people/members/workspaces.ts");
  await setPlan(workspace.ctx, { status: "inactive" });
  for (const [route] of table) {
    const reply = await workspace.api(filled(route), bodyFor(route));
    if (route === "GET /me") expect(reply.status).toBe(200);
    else expectError(reply, 402, "subscription_inactive");
  }
  await setPlan(workspace.ctx, { status: "active" });
  expect((await workspace.api("GET /contracts")).status).toBe(200);
});
