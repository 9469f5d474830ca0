/** Checks a sealed PDF with other programs (poppler, OpenSSL, qpdf), and its signature against the PAdES rules. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { findAttribute, oids, readCms } from "#lib/documents/seal/cms.ts";

const run = promisify(execFile);

/** Runs `work` with a folder of its own. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-sealed-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function pdfsig(path: string): Promise<string> {
  const { stdout } = await run("pdfsig", ["-nocert", path]).catch((error) => error);
  return stdout;
}

/** Returns the seal's CMS, and the bytes that it signs. */
export function takeApart(pdf: Buffer): { cms: Buffer; signed: Buffer } {
  const text = pdf.toString("latin1");
  const [, start, end] = /\/ByteRange \[ 0 (\d+) (\d+) \d+ +\]/.exec(text)!.map(Number) as number[];
  const cms = Buffer.from(text.slice(start! + 1, end! - 1), "hex");
  return { cms, signed: Buffer.concat([pdf.subarray(0, start), pdf.subarray(end)]) };
}

/** Expects poppler, OpenSSL and qpdf to find the file valid and signed as a whole, and PAdES to be followed. */
export async function expectSealed(path: string, bytes: Buffer, level: "B-B" | "B-T" = "B-B"): Promise<void> {
  const report = await pdfsig(path);
  expect(report).toContain("Signature is Valid");
  expect(report).toContain("Total document signed");
  expect(report).toContain("ETSI.CAdES.detached");
  await expectValidToOpenssl(bytes);
  await expectCleanToQpdf(path);
  expectProfile(bytes, level);
}

/** Trusts the certificates in the seal: this checks whether the signature is valid, not whose it is. */
async function expectValidToOpenssl(bytes: Buffer): Promise<void> {
  const { cms, signed } = takeApart(bytes);
  await inFolder(async (folder) => {
    const [der, content, pem] = ["s.der", "s.bin", "s.pem"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await Promise.all([writeFile(der, cms), writeFile(content, signed)]);
    await run("openssl", ["pkcs7", "-inform", "DER", "-in", der, "-print_certs", "-out", pem]);
    const { stderr } = await run("openssl", [
      ...["cms", "-verify", "-binary", "-inform", "DER", "-in", der, "-content", content],
      ...["-CAfile", pem, "-purpose", "any", "-cades", "-out", "/dev/null"],
    ]);
    expect(stderr).toContain("successful");
  });
}

/** Not every machine that runs tests has qpdf; CI must have it. */
async function expectCleanToQpdf(path: string): Promise<void> {
  const checked = await run("qpdf", ["--check", path]).catch((error) => error);
  if (checked.code === "ENOENT" && !process.env.CI) return;
  expect(checked.stdout).toContain("No syntax or stream encoding errors found");
}

/** Expects three signed attributes, no signing-time, no unused space, and one signature of the whole file. */
export function expectProfile(bytes: Buffer, level: "B-B" | "B-T" = "B-B"): void {
  const { cms } = takeApart(bytes);
  const { signerInfo, signedData, size } = readCms(cms);
  const unused = cms.subarray(size);
  expect(unused.every((byte) => byte === 0)).toBe(true);
  // The size of a time-stamp is not known in advance.
  if (level === "B-B") expect(unused).toHaveLength(0);
  expect(signerInfo.signedAttrs!.attributes.map(({ type }) => type).sort()).toEqual(
    [oids.contentType, oids.messageDigest, oids.signingCertificateV2].sort(),
  );
  expect(findAttribute(signerInfo, oids.signingTime)).toBeNull();
  expect(signedData.encapContentInfo.eContent).toBeUndefined();
  const text = bytes.toString("latin1");
  expect(text.match(/\/SubFilter \/ETSI\.CAdES\.detached/g)).toHaveLength(1);
  expect(text.match(/\/M \(D:\d{14}Z\)/g)).toHaveLength(1);
  expect(text.match(/\/ByteRange/g)).toHaveLength(1);
}
