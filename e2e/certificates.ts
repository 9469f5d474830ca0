/** Keys and time-stamps that come from outside the product, created with OpenSSL. */
import { execFile, spawn } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import type { SealingKey } from "#lib/documents/seal/signing-key.ts";

const run = promisify(execFile);

/** Starts a time-stamp authority: `openssl ts` behind HTTP. If `say` is set, it sends that instead of a time-stamp. */
export async function startAuthority(folder: string) {
  const at = (name: string) => join(folder, name);
  const config = `[req]\ndistinguished_name=dn\nx509_extensions=ext\nprompt=no\n[dn]\nCN=Test time-stamp authority\n[ext]\nextendedKeyUsage=critical,timeStamping\n[tsa]\ndefault_tsa=t\n[t]\nserial=${at("serial")}\ncrypto_device=builtin\nsigner_cert=${at("tsa.pem")}\nsigner_key=${at("tsa.key")}\ncerts=${at("tsa.pem")}\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\naccuracy=secs:1\n`;
  await writeFile(at("tsa.cnf"), config);
  await writeFile(at("serial"), "01\n");
  await run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-config", at("tsa.cnf")],
    ...["-keyout", at("tsa.key"), "-out", at("tsa.pem")],
  ]);
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/timestamp-reply");
    const query = await buffer(request);
    if (authority.say) return response.end(authority.say);
    await writeFile(at("query.tsq"), query);
    const child = spawn("openssl", ["ts", "-reply", "-config", at("tsa.cnf"), "-queryfile", at("query.tsq")]);
    response.end(await buffer(child.stdout));
  });
  const open = (port = 0) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await open();
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const authority = { url, say: "", close: () => server.close(), open: () => open(port) };
  return authority;
}

/** Creates a PKCS#12 file with a key for "Acme seal" and its chain of two certificates. Returns its path. */
export async function makePkcs12(folder: string, password: string): Promise<string> {
  const at = (name: string) => join(folder, name);
  const subject = (name: string) => ["-subj", `/CN=${name}`];
  await run("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "9", ...subject("Test root")],
    ...["-addext", "keyUsage=critical,keyCertSign", "-keyout", at("root.key"), "-out", at("root.pem")],
  ]);
  await run("openssl", [
    ...["req", "-newkey", "rsa:2048", "-nodes", ...subject("Acme seal"), "-keyout", at("acme.key")],
    ...["-out", at("acme.csr")],
  ]);
  await run("openssl", [
    ...["x509", "-req", "-in", at("acme.csr"), "-CA", at("root.pem"), "-CAkey", at("root.key")],
    ...["-CAcreateserial", "-days", "9", "-out", at("acme.pem")],
  ]);
  await run("openssl", [
    ...["pkcs12", "-export", "-inkey", at("acme.key"), "-in", at("acme.pem"), "-certfile", at("root.pem")],
    ...["-passout", `pass:${password}`, "-out", at("acme.p12")],
  ]);
  return at("acme.p12");
}

const pem = (label: string, der: Uint8Array) =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString("base64")}\n-----END ${label}-----\n`;

/** Creates a PKCS#12 file of this key and these certificates, whether or not they match. Returns its path. */
export async function packPkcs12(
  folder: string,
  name: string,
  { certificates, privateKey }: SealingKey,
  password: string,
): Promise<string> {
  const at = (ending: string) => join(folder, `${name}.${ending}`);
  await writeFile(at("key"), pem("PRIVATE KEY", privateKey));
  await writeFile(at("pem"), certificates.map((der) => pem("CERTIFICATE", der)).join(""));
  await run("openssl", [
    ...["pkcs12", "-export", "-nocerts", "-inkey", at("key"), "-in", at("key"), "-certfile", at("pem")],
    ...["-passout", `pass:${password}`, "-out", at("p12")],
  ]);
  return at("p12");
}

/** Creates a key of another type, such as ed25519 or rsa:1024, with a self-signed certificate. */
export async function makeOtherKey(folder: string, kind: string): Promise<SealingKey> {
  const at = (name: string) => join(folder, name);
  await run("openssl", [
    ...["req", "-x509", "-newkey", kind, "-nodes", "-days", "400", "-subj", "/CN=Other"],
    ...["-keyout", at("other.key"), "-out", at("other.pem")],
  ]);
  const key = createPrivateKey(await readFile(at("other.key")));
  return {
    certificates: [new X509Certificate(await readFile(at("other.pem"))).raw],
    privateKey: key.export({ type: "pkcs8", format: "der" }),
  };
}
