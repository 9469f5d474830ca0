/** A sealed PDF against an attacker who creates a certificate in the workspace's name. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { assemble, findAttribute, octetsOf, oids, readCms } from "#lib/documents/seal/cms.ts";
import { sealDocument } from "#lib/documents/seal/seal.ts";
import { createSigningKey, describeCertificate } from "#lib/documents/seal/signing-key.ts";
import { parseTimestampResponse, timestampRequest } from "#lib/documents/seal/timestamp.ts";
import { verifyOffline, verifyPdf } from "#lib/signatures/verify/verification.ts";
import { startAuthority } from "../certificates.ts";
import { expect, test } from "../fixtures.ts";
import { inFolder, takeApart } from "../sealed.ts";
import { contractPdf, evidenceOf, fieldsFor } from "../sealing.ts";
import { node, root } from "../server.ts";

/** Verifies on the command line, without a database; returns the exit code and the parsed output. */
async function verify(...args: string[]) {
  const command = [join(root, "lib", "run", "admin.ts"), "verify-pdf", "--offline", ...args];
  const env = { ...process.env, DATABASE_URL: "" };
  const { code = 0, stdout } = await promisify(execFile)(node, command, { env }).catch((error) => error);
  return { code, answer: stdout ? JSON.parse(stdout) : null };
}

test("a forged PDF sealed in the workspace's name never verifies, while the genuine one does by fingerprint", async () => {
  const pdf = await contractPdf(1);
  const evidence = evidenceOf(pdf);
  const owner = { organizationId: evidence.organization.id, organizationName: evidence.organization.name };
  const [own, forgers] = [createSigningKey(owner), createSigningKey(owner)];
  const summary = describeCertificate(own.certificates[0]!);
  expect(describeCertificate(forgers.certificates[0]!).subject).toBe(summary.subject);
  await inFolder(async (folder) => {
    const source = join(folder, "contract.pdf");
    await writeFile(source, pdf);
    const input = { path: source, evidence, fields: fieldsFor(evidence, 0) };
    const [genuine, forged] = [join(folder, "genuine.pdf"), join(folder, "forged.pdf")];
    await writeFile(genuine, (await sealDocument(input, own)).bytes);
    await writeFile(forged, (await sealDocument(input, forgers)).bytes);

    // Their content alone does not tell the two apart, so neither verifies.
    for (const path of [genuine, forged]) {
      const { code, answer } = await verify("--file", path);
      expect([code, answer.ok, answer.issuer]).toEqual([1, false, "unknown"]);
      expect(answer.checks.at(-1)).toMatchObject({ name: "issued_here", holds: null });
      expect(answer.checks.filter(({ holds }: { holds: boolean | null }) => holds === false)).toEqual([]);
    }
    const spelled = summary.fingerprint.toUpperCase().match(/../g)!.join(":");
    for (const fingerprint of [summary.fingerprint, spelled]) {
      const held = await verify("--file", genuine, "--fingerprint", fingerprint);
      expect([held.code, held.answer.ok, held.answer.issuer]).toEqual([0, true, "confirmed"]);
      const failed = await verify("--file", forged, "--fingerprint", fingerprint);
      expect([failed.code, failed.answer.ok, failed.answer.issuer]).toEqual([1, false, "other"]);
    }
    expect((await verify("--file", genuine, "--fingerprint", "abc")).code).toBe(2);
    const online = await verifyPdf(forged);
    expect([online.ok, online.checks.at(-1)?.holds]).toEqual([false, false]);
    const { stdout } = await promisify(execFile)("pdftotext", [genuine, "-"]);
    expect(stdout.replaceAll(/\s/g, "")).toContain(summary.fingerprint);
  });
});

/** Returns the sealed file with its time-stamp replaced by one from another authority. */
async function withTimestampOf(authority: string, pdf: Buffer): Promise<Buffer> {
  const { cms } = takeApart(pdf);
  const { certificates, signerInfo } = readCms(cms);
  const digest = octetsOf(findAttribute(signerInfo, oids.messageDigest))!;
  const signature = new Uint8Array(signerInfo.signature.valueBlock.valueHexView);
  const request = timestampRequest(signature);
  const answer = await fetch(authority, { method: "POST", body: Buffer.from(request.body) });
  const timestampToken = parseTimestampResponse(
    new Uint8Array(await answer.arrayBuffer()),
    signature,
    request,
  );
  const seal = Buffer.from(assemble({ certificates, digest, signature, timestampToken })).toString("hex");
  const text = pdf.toString("latin1").replace(cms.toString("hex"), seal.padEnd(2 * cms.length, "0"));
  return Buffer.from(text, "latin1");
}

test("replacing a PDF's time stamp with a forger's neither certifies a time nor changes the sealing time", async () => {
  const pdf = await contractPdf(1);
  const evidence = evidenceOf(pdf);
  const at = new Date(Math.floor(Date.now() / 1000 - 3600) * 1000);
  const { id: organizationId, name: organizationName } = evidence.organization;
  const key = createSigningKey({ organizationId, organizationName, at });
  const { fingerprint } = describeCertificate(key.certificates[0]!);
  await inFolder(async (folder) => {
    const folders = ["authority", "forger"].map((name) => join(folder, name));
    for (const path of folders) await mkdir(path);
    const [authority, forgers] = [await startAuthority(folders[0]!), await startAuthority(folders[1]!)];
    try {
      const [source, genuine, forged] = ["contract", "genuine", "forged"].map((name) => join(folder, name));
      await writeFile(source!, pdf);
      const input = { path: source!, evidence, fields: fieldsFor(evidence, 0) };
      const { bytes } = await sealDocument(input, key, { timestampUrl: authority.url, at });
      await writeFile(genuine!, bytes);
      await writeFile(forged!, await withTimestampOf(forgers.url, bytes));
      // The file alone does not tell the two apart, so the time is the one that the seal covers.
      for (const path of [genuine!, forged!]) {
        const { ok, sealedAt, checks } = await verifyOffline(path, fingerprint);
        expect([ok, sealedAt]).toEqual([true, at.toISOString()]);
        expect(checks.find(({ name }) => name === "timestamp")).toMatchObject({
          holds: null,
          says: expect.stringContaining("anyone can create a certificate in its name"),
        });
      }
    } finally {
      authority.close();
      forgers.close();
    }
  });
});
