/** Programs that describe themselves at an address of their own. The test only fakes what is outside the product. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { EgressRequest } from "#lib/egress/egress.ts";
import { documentFetcher } from "#lib/oauth/client-document.ts";
import { createProvider } from "#lib/oauth/provider.ts";
import { authorizeUrl, newVerifier } from "../assistants.ts";
import { expect, test } from "../fixtures.ts";
import { openBrowser, signedIn } from "../members.ts";

const id = "https://claude.example/client.json";
const document = {
  client_id: id,
  client_name: "Claude",
  redirect_uris: ["https://claude.example/callback", "http://localhost/callback"],
  token_endpoint_auth_method: "none",
  scope: "anything",
};

/** What the program's site responds. */
type Site = (request: EgressRequest) => { status?: number; body: string };

/** Starts the authorization server with a fake site that responds as the test says; browsers use BASE_URL. */
async function serving<T>(site: Site, work: (url: string) => Promise<T>): Promise<T> {
  const send = async (request: EgressRequest) => {
    const { status = 200, body } = site(request);
    const bytes = Buffer.from(body).subarray(0, request.maxResponseBytes);
    return { status, headers: {}, body: bytes.toString(), bytes, durationMs: 1 };
  };
  const handle = (await createProvider(documentFetcher(send))).callback();
  const server = createServer((request, response) => {
    request.headers.host = new URL(process.env.BASE_URL!).host;
    handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

const asking = (parameters: Record<string, string> = {}) =>
  authorizeUrl(id, newVerifier().challenge, {
    ...{ redirect_uri: document.redirect_uris[0]!, scope: "contracts:read", prompt: "consent" },
    ...parameters,
  });

test("an OAuth client is verified only if it redirects to the site that hosts its metadata document", async ({
  workspace,
}) => {
  const person = await signedIn(workspace, "member");
  const seen: EgressRequest[] = [];
  // Where anyone can upload a document, someone uploads one that names an address of their own.
  const elsewhere = "https://evil.example/callback";
  const site: Site = (request) => {
    seen.push(request);
    return { body: JSON.stringify({ ...document, redirect_uris: [...document.redirect_uris, elsewhere] }) };
  };
  const programs = await serving(site, async (url) => {
    const told = [];
    for (const redirect_uri of [document.redirect_uris[0]!, "http://localhost:50123/callback", elsewhere]) {
      const response = await openBrowser(url).get(asking({ redirect_uri }));
      const request = response.headers.get("location")!.replace("/connect/", "");
      told.push((await person.call("assistantRequests.open", { request })).body.request.program);
    }
    return told;
  });
  const shown = { name: "Claude", host: "claude.example" };
  expect(programs).toEqual([
    { ...shown, isVerified: true, returnsTo: "site" },
    { ...shown, isVerified: false, returnsTo: "computer" },
    { name: "Claude", host: "evil.example", isVerified: false, returnsTo: "site" },
  ]);
  expect(seen, "asked once, and remembered").toMatchObject([{ url: id, method: "GET", timeoutMs: 2500 }]);
});

test("a client metadata document that is mismatched, oversized, redirected or malformed is rejected", async () => {
  const sites: Record<string, ReturnType<Site>> = {
    "another id": { body: JSON.stringify({ ...document, client_id: "https://claude.example/other.json" }) },
    "a redirect": { status: 302, body: "" },
    missing: { status: 404, body: JSON.stringify(document) },
    "too long": { body: JSON.stringify({ ...document, tos: "x".repeat(6_000) }) },
    "no JSON": { body: "<html>" },
    "a list": { body: "[]" },
    "a secret": { body: JSON.stringify({ ...document, client_secret: "s" }) },
    "a key": { body: JSON.stringify({ ...document, token_endpoint_auth_method: "private_key_jwt" }) },
    "a harmful link": { body: JSON.stringify({ ...document, redirect_uris: ["javascript:alert(1)"] }) },
    "another redirect": {
      body: JSON.stringify({ ...document, redirect_uris: ["https://claude.example/x"] }),
    },
  };
  for (const [what, answer] of Object.entries(sites)) {
    const response = await serving(
      () => answer,
      (url) => openBrowser(url).get(asking()),
    );
    expect([response.status, response.headers.get("location")], what).toEqual([400, null]);
  }
});
