/**
 * An OpenID Connect provider on loopback, for tests: discovery, keys, the code flow with PKCE, a signed id token. The
 * test decides who signs in.
 */
import { createHash, createSign, generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Provider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claims of the next person who signs in. */
  claims: Record<string, unknown>;
  /** The parameters of the last sign-in request: prompt, max_age, … */
  asked: Record<string, string>;
  /** Requests that violated the protocol. */
  complaints: string[];
  close(): Promise<void>;
}

export async function openProvider(): Promise<Provider> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k1", use: "sig", alg: "RS256" };
  const codes = new Map<string, { nonce: string; challenge: string; redirect: string }>();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const sign = (claims: object) => {
    const text = `${part({ alg: "RS256", kid: "k1", typ: "JWT" })}.${part(claims)}`;
    return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", provider.issuer);
    const json = (body: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/.well-known/openid-configuration") {
      const { issuer } = provider;
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (url.pathname === "/keys") return json({ keys: [jwk] });
    if (url.pathname === "/authorize") {
      const asked = Object.fromEntries(url.searchParams);
      provider.asked = asked;
      for (const name of ["state", "nonce", "code_challenge", "redirect_uri"]) {
        if (!asked[name]) provider.complaints.push(`no ${name}`);
      }
      const code = randomUUID();
      const { nonce = "", code_challenge: challenge = "", redirect_uri: redirect = "" } = asked;
      codes.set(code, { nonce, challenge, redirect });
      const location = `${redirect}?${new URLSearchParams({ code, state: asked.state ?? "" })}`;
      return response.writeHead(302, { location }).end();
    }
    let body = "";
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    const kept = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const isProved = createHash("sha256").update(verifier).digest("base64url") === kept?.challenge;
    if (!kept || !isProved || form.get("redirect_uri") !== kept.redirect) {
      provider.complaints.push("a code that is not good");
      return json({ error: "invalid_grant" }, 400);
    }
    const now = Math.floor(Date.now() / 1000);
    const { issuer: iss, clientId: aud } = provider;
    const idToken = sign({ iss, aud, iat: now, exp: now + 300, nonce: kept.nonce, ...provider.claims });
    return json({ access_token: randomUUID(), token_type: "Bearer", expires_in: 300, id_token: idToken });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const provider: Provider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: "countersign",
    clientSecret: "a client secret",
    claims: {},
    asked: {},
    complaints: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}
