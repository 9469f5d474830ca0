import { execFile } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { makePkcs12, startAuthority } from "#e2e/certificates.ts";
import { expectSealed, pdfsig, takeApart } from "#e2e/sealed.ts";
import { contractPdf, evidenceOf, fieldsFor, people, sealed, sealingKey } from "#e2e/sealing.ts";
import { PDFDocument, PDFName, rgb } from "#lib/documents/pdf/pdf-lib.ts";
import { readCms } from "./cms.ts";
import { sealDocument } from "./seal.ts";
import { createSigningKey, readPkcs12 } from "./signing-key.ts";
import { verifySealed } from "./verify.ts";

const run = promisify(execFile);

// Each test starts processes, which takes time on a busy machine.
test.describe.configure({ timeout: 90_000 });

let folder: string;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-seal-"));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

async function write(name: string, bytes: Uint8Array): Promise<string> {
  await writeFile(at(name), bytes);
  return at(name);
}

test("a sealed PDF is valid to pdfsig, openssl, qpdf and our own checks, and conforms to PAdES B-B", async () => {
  const { bytes, sha256, pageCount, certificatePages, level } = await sealed(at("whole-in.pdf"), {
    names: people,
  });
  const path = await write("whole.pdf", bytes);
  await expectSealed(path, bytes);
  expect(level).toBe("B-B");
  expect(pageCount).toBe(2 + certificatePages);

  const verified = await verifySealed(path, {
    issued: async (seal) => ({ holds: seal.sha256 === sha256, says: "ours" }),
  });
  expect(verified.checks.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual(["timestamp"]);
  expect(verified.ok).toBe(true);
  expect(verified.evidence?.signers.map(({ name }) => name)).toEqual(people);
});

test("changed and appended bytes are detected by our own checks, and by pdfsig outside the signature", async () => {
  const { bytes } = await sealed(at("tamper-in.pdf"), { pages: 1 });
  const { cms } = takeApart(bytes);
  const gap = bytes.toString("latin1").indexOf(`<${cms.toString("hex")}>`);
  const inGap = (position: number) => position >= gap && position < gap + 2 * cms.length + 2;
  const { readSeal } = await import("./read-seal.ts");
  const positions = Array.from(
    { length: 60 },
    (_, index) => Math.floor((index * 7919 * bytes.length) / 475_140) % bytes.length,
  );
  const seals = Array.from(
    { length: 60 },
    (_, index) => gap + Math.floor((index * (2 * cms.length + 1)) / 59),
  );
  for (const [index, position] of [...positions, ...seals].entries()) {
    const changed = Buffer.from(bytes);
    changed[position]! ^= 1 << (index % 8);
    const path = await write("changed.pdf", changed);
    const { checks } = await readSeal({ path });
    expect(
      checks.some(({ holds }) => holds === false),
      `a change at ${position}`,
    ).toBe(true);
    // Our verifier checks bytes of the seal that pdfsig ignores (text in a certificate, for one).
    if (inGap(position) || index % 4 !== 0) continue;
    const report = await pdfsig(path);
    expect(/Signature is Valid/.test(report) && /Total document signed/.test(report), `at ${position}`).toBe(
      false,
    );
  }
  for (const tail of ["\n", " ", "%%EOF\n", "\0", "1 0 obj\n<<>>\nendobj\n"]) {
    const path = await write("longer.pdf", Buffer.concat([bytes, Buffer.from(tail)]));
    const { checks } = await readSeal({ path });
    expect(checks.find(({ name }) => name === "whole_file")?.holds).toBe(false);
    expect(await pdfsig(path)).not.toContain("Total document signed");
  }
});

test("a partial seal fails the whole_file check, and an added signature fails the sealed check", async () => {
  const { bytes } = await sealed(at("tricks-in.pdf"), { pages: 1 });
  const { cms } = takeApart(bytes);
  const text = bytes.toString("latin1");
  const range = /\/ByteRange \[ 0 (\d+) (\d+) (\d+) +\]/.exec(text)!;
  const [start, end, rest] = range.slice(1).map(Number) as [number, number, number];
  const failing = async (changed: string) => {
    const { checks, ok } = await verifySealed(await write("trick.pdf", Buffer.from(changed, "latin1")));
    expect(ok).toBe(false);
    return checks.filter(({ holds }) => holds === false).map(({ name }) => name);
  };
  const withRange = (numbers: number[]) =>
    text.replace(range[0], `/ByteRange [ ${numbers.join(" ")} ]`.padEnd(range[0].length));
  expect(await failing(withRange([0, start - 100, end, rest]))).toEqual(["whole_file"]);
  expect(await failing(withRange([0, start, end + 50, rest - 50]))).toEqual(["whole_file"]);
  expect(await failing(withRange([10, start - 10, end, rest]))).toEqual(["whole_file"]);
  // The same signature in upper-case digits is still not the file that was issued.
  expect(await failing(text.replace(cms.toString("hex"), cms.toString("hex").toUpperCase()))).toEqual([
    "whole_file",
  ]);
  const update = `\n900 0 obj\n<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`;
  expect(await failing(text + update)).toEqual(["sealed"]);
});

test("a time-stamp token raises the seal to PAdES B-T and is verified, and an invalid one is refused", async () => {
  const authority = await startAuthority(folder);
  try {
    const { bytes, level } = await sealed(at("stamped-in.pdf"), { pages: 1, timestampUrl: authority.url });
    expect(level).toBe("B-T");
    const path = await write("stamped.pdf", bytes);
    const { checks, ok } = await verifySealed(path, {
      issued: async () => ({ holds: true, says: "ours, to the byte", knowsFile: true }),
    });
    expect(checks.find(({ name }) => name === "timestamp")).toMatchObject({ holds: true });
    expect(checks.find(({ name }) => name === "profile")?.says).toContain("B-T");
    expect(ok).toBe(true);
    await expectSealed(path, bytes, "B-T");
    authority.say = "not a time-stamp";
    await expect(sealed(at("refused-in.pdf"), { pages: 1, timestampUrl: authority.url })).rejects.toThrow(
      /time-stamp authority at 127\.0\.0\.1:\d+ issued no time-stamp/,
    );
  } finally {
    authority.close();
  }
});

test("a seal by a key from a PKCS#12 file is valid to whoever trusts its root, and a wrong password is reported", async () => {
  const file = await readFile(await makePkcs12(folder, "correct horse"));
  await expect(readPkcs12(file, "wrong")).rejects.toThrow("the password is wrong");
  const key = await readPkcs12(file, "correct horse");
  expect(key.certificates).toHaveLength(2);
  const pdf = await contractPdf(1);
  const evidence = evidenceOf(pdf);
  const input = { path: await write("p12-in.pdf", pdf), evidence, fields: fieldsFor(evidence, 0) };
  const { bytes } = await sealDocument(input, key);
  const path = await write("p12.pdf", bytes);
  expect(await pdfsig(path)).toContain("Signature is Valid");
  const { cms, signed } = takeApart(bytes);
  const { stderr } = await run("openssl", [
    ...["cms", "-verify", "-binary", "-inform", "DER", "-in", await write("p12.der", cms)],
    ...["-content", await write("p12.bin", signed), "-CAfile", at("root.pem"), "-purpose", "any"],
    ...["-cades", "-out", "/dev/null"],
  ]);
  expect(stderr).toContain("successful");
  const base64 = (der: Uint8Array | ArrayBuffer) => Buffer.from(der as Uint8Array).toString("base64");
  const carried = readCms(cms).signedData.certificates!.map((one) => base64(one.toSchema().toBER(false)));
  expect(carried).toEqual(key.certificates.map(base64));
  const { certificate, ok } = await verifySealed(path);
  expect(certificate?.name).toBe("Acme seal");
  expect(ok).toBe(true);
});

test("a workspace's certificate has its name and ID, and is for signing documents alone: not a CA", async () => {
  const { certificates } = createSigningKey({ organizationId: "org_1", organizationName: "Żółć & Söhne" });
  const { stdout } = await run("openssl", [
    ...["x509", "-inform", "DER", "-in", await write("own.der", certificates[0]!), "-noout", "-text"],
    ...["-nameopt", "utf8,-esc_msb"],
  ]);
  expect(stdout).toContain("O=Żółć & Söhne, organizationIdentifier=org_1, CN=Żółć & Söhne document seal");
  const extensions = stdout.split("X509v3 extensions:")[1]!.split("Signature Algorithm")[0]!;
  const lines = extensions.split("\n").map((line) => line.trim());
  expect(lines.filter((line) => line !== "").slice(0, 6)).toEqual([
    ...["X509v3 Basic Constraints: critical", "CA:FALSE"],
    ...["X509v3 Key Usage: critical", "Digital Signature, Non Repudiation"],
    ...["X509v3 Extended Key Usage:", "1.3.6.1.5.5.7.3.36"],
  ]);
  for (const [organizationName, subject] of [
    ["ż".repeat(51), `O=${"ż".repeat(51)}\norganizationIdentifier=org_1\nCN=${"ż".repeat(51)}`],
    ["🏢".repeat(70), `O=${"🏢".repeat(64)}\norganizationIdentifier=org_1\nCN=${"🏢".repeat(64)}`],
  ] as const) {
    const long = createSigningKey({ organizationId: "org_1", organizationName }).certificates[0]!;
    expect(new X509Certificate(long).subject, "at most 64 characters each").toBe(subject);
  }
});

test("sealing a document twice gives the same bytes except for the signature", async () => {
  const pdf = await contractPdf(1);
  const evidence = evidenceOf(pdf);
  const input = { path: await write("again.pdf", pdf), evidence, fields: fieldsFor(evidence, 0) };
  const when = { at: new Date("2026-11-21T12:00:00Z") };
  const [first, second] = await Promise.all([1, 2].map(() => sealDocument(input, sealingKey(), when)));
  expect(first!.stampedSha256).toBe(second!.stampedSha256);
  const unsigned = (pdf: Buffer) => createHash("sha256").update(takeApart(pdf).signed).digest("hex");
  expect(unsigned(first!.bytes)).toBe(unsigned(second!.bytes));
});

test("admin verify-pdf --offline accepts a sealed PDF without a database, and rejects an altered one", async () => {
  const { bytes } = await sealed(at("cli-in.pdf"), { pages: 1 });
  const { certificate } = await verifySealed(await write("cli-known.pdf", bytes));
  const admin = (file: string) =>
    run(process.execPath, [
      ...["lib/run/admin.ts", "verify-pdf", "--offline", "--file", file],
      ...["--fingerprint", certificate?.fingerprint ?? ""],
    ]);
  const { stdout } = await admin(await write("cli.pdf", bytes));
  const { ok, checks } = JSON.parse(stdout);
  expect(ok).toBe(true);
  expect(checks.map(({ name }: { name: string }) => name)).toEqual([
    ...["sealed", "whole_file", "unchanged", "signature", "profile"],
    ...["certificate", "timestamp", "evidence", "events", "issued_here"],
  ]);
  const longer = await write("cli-longer.pdf", Buffer.concat([bytes, Buffer.from("\n")]));
  const failed = await admin(longer).catch((error) => error);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout).ok).toBe(false);
});

test("sealing flattens an uploaded file's form, and removes its scripts and broken signatures", async () => {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([300, 300]);
  const field = pdf.getForm().createTextField("amount");
  field.setText("1200 EUR");
  field.addToPage(page, { x: 50, y: 200, width: 120, height: 20, textColor: rgb(0, 0, 0) });
  pdf.addJavaScript("open", "app.alert('hello')");
  const old = pdf.context.obj({ Type: "Sig", Contents: "x" });
  old.set(PDFName.of("ByteRange"), pdf.context.obj([0, 1, 2, 3]));
  pdf.context.register(old);
  const bytes = await pdf.save();
  const evidence = evidenceOf(bytes);
  const result = await sealDocument(
    { path: await write("form.pdf", bytes), evidence, fields: fieldsFor(evidence, 0) },
    sealingKey(),
  );
  const path = await write("flat.pdf", result.bytes);
  expect((await verifySealed(path)).ok).toBe(true);
  const { stdout } = await run("pdftotext", ["-l", "1", path, "-"]);
  expect(stdout).toContain("1200 EUR");
  const reloaded = await PDFDocument.load(result.bytes);
  expect(
    reloaded
      .getForm()
      .getFields()
      .map((one) => one.getName()),
  ).toEqual(["Seal"]);
  expect(result.bytes.includes("app.alert")).toBe(false);
});
