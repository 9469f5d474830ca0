/** A sealed PDF against someone who makes a certificate in the workspace's name. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sealDocument } from "#lib/documents/seal/seal.ts";
import { createSigningKey, describeCertificate } from "#lib/documents/seal/signing-key.ts";
import { verifyPdf } from "#lib/signatures/verify/verification.ts";
import { expect, test } from "../fixtures.ts";
import { inFolder } from "../sealed.ts";
import { contractPdf, evidenceOf, fieldsFor } from "../sealing.ts";
import { node, root } from "../server.ts";

/** Verifies from the command line without a database: the exit code, and what it printed. */
async function verify(...args: string[]) {
  const command = [join(root, "lib", "run", "admin.ts"), "verify-pdf", "--offline", ...args];
  const env = { ...process.env, DATABASE_URL: "" };
  const { code = 0, stdout } = await promisify(execFile)(node, command, { env }).catch((error) => error);
  return { code, answer: stdout ? JSON.parse(stdout) : null };
}

test("a forgery with a key of the forger's in the workspace's name holds nowhere; the genuine one does by its fingerprint", async () => {
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

    // No one can tell the two apart by what they say, so neither holds.
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
