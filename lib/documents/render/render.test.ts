import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { docx, linkedPicture, paragraph, table } from "#e2e/docx.ts";
import { Office } from "./office.ts";
import { renderByGotenberg } from "./render.ts";

// In one process, with one warm LibreOffice.
test.describe.configure({ mode: "default", timeout: 150_000 });

const office = new Office();
test.afterAll(() => office.close());

async function poppler(program: "pdftotext" | "pdffonts", pdf: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-render-"));
  try {
    await writeFile(join(folder, "a.pdf"), pdf);
    const args = [join(folder, "a.pdf"), ...(program === "pdftotext" ? ["-"] : [])];
    return (await promisify(execFile)(program, args)).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("names in several scripts can be extracted from the PDF, regular and bold, with their fonts embedded", async () => {
  const names = "Ελένη Παπαδοπούλου, 김민준, Łukasz, 王小明, Дмитрий, 田中さくら";
  const fonts = ["Calibri", "Times New Roman", "Noto Sans"];
  const body = fonts.flatMap((font) => [paragraph(names, { font }), paragraph(names, { font, bold: true })]);
  const pdf = await office.render(docx({ body: body.join("") }));
  expect((await poppler("pdftotext", pdf)).split(names)).toHaveLength(7);
  const table = (await poppler("pdffonts", pdf)).trim().split("\n").slice(2);
  for (const name of [
    "NotoSansKR-Regular",
    "NotoSansKR-Bold",
    "NotoSansHans-Regular",
    "Carlito",
    "LiberationSerif",
  ]) {
    expect(
      table.some((row) => row.includes(name)),
      name,
    ).toBe(true);
  }
  for (const row of table) expect(row).toMatch(/ yes yes yes +\d+ +0$/);
});

test("a picture that a document links to is not fetched", async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { body, relationships } = linkedPicture(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`,
  );
  const pdf = await office.render(docx({ body: body + paragraph("Stands below"), relationships }));
  expect(await poppler("pdftotext", pdf)).toContain("Stands below");
  expect(asked).toBe(0);
  await new Promise((resolve) => server.close(resolve));
});

test("a renderer that is killed, idle or busy, is replaced for the next document", async () => {
  await office.render(docx(["One"]));
  const first = office.pid!;
  process.kill(first, "SIGKILL");
  await expect.poll(() => office.pid).toBeUndefined();
  const pdf = await office.render(docx(["Two"]));
  expect(await poppler("pdftotext", pdf)).toContain("Two");
  const [hurt, next] = [office.render(docx(["Three"])), office.render(docx(["Four"]))];
  hurt.catch(() => undefined);
  // It is sent in the next turn of the event loop, and renders for longer than that.
  await new Promise((resolve) => setImmediate(resolve));
  process.kill(office.pid!, "SIGKILL");
  await expect(hurt).rejects.toThrow("This document made LibreOffice stop.");
  expect(await poppler("pdftotext", await next)).toContain("Four");
});

test("a warmed-up renderer serves the next document, and exits when idle", async () => {
  const brief = new Office({ idleMs: 500 });
  await Promise.all([brief.warmUp(), brief.warmUp()]);
  const { pid } = brief;
  expect(pid).toBeDefined();
  const pdf = await brief.render(docx(["Warm"]));
  // Immediately: reading the document may take longer than the process stays idle.
  expect(brief.pid).toBe(pid);
  expect(await poppler("pdftotext", pdf)).toContain("Warm");
  await expect.poll(() => brief.pid).toBeUndefined();
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});

test("a LibreOffice that hangs while starting is replaced by another one", async () => {
  const impatient = new Office({ startTimeoutsMs: [300, 8_000, 12_000, 30_000] });
  try {
    const pids = new Set<number>();
    const looking = setInterval(() => impatient.pid && pids.add(impatient.pid), 50);
    await impatient.warmUp();
    clearInterval(looking);
    // Later starts may hang for reasons of their own.
    expect(pids.size).toBeGreaterThan(1);
    expect(impatient.pid).toBe([...pids].at(-1));
  } finally {
    impatient.close();
  }
});

test("a document that takes too long fails with the reason, and the next one is rendered", async () => {
  const huge = docx({ body: table(Array.from({ length: 8000 }, () => Array<string>(6).fill("cell"))) });
  await expect(office.render(huge, { share: "test" }, { convertMs: 1_500 })).rejects.toMatchObject({
    message: "This document took longer than 1.5 s.",
    isLasting: true,
  });
  let deep = paragraph("In the deep");
  for (let level = 0; level < 60; level++) deep = `<w:tbl><w:tr><w:tc>${deep}<w:p/></w:tc></w:tr></w:tbl>`;
  const pdf = await office.render(docx({ body: deep + paragraph("After the deep") }));
  expect(await poppler("pdftotext", pdf)).toContain("After the deep");
});

test("a document that needs too much memory fails with the reason", async () => {
  const small = new Office({ memoryMb: 300, startTimeoutsMs: [30_000] });
  await expect(small.render(docx(["One"]))).rejects.toThrow("needs more than 300 MB of memory.");
  expect(small.pid).toBeUndefined();
});

test("a Gotenberg server receives the document and returns its PDF, and its errors are reported", async () => {
  const asked: { path?: string; type?: string; body: Buffer }[] = [];
  const answers: [number, string][] = [
    [200, "%PDF-1.7 and more"],
    [503, "Service Unavailable"],
    [200, "<html>"],
  ];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push({ path: request.url, type: request.headers["content-type"], body: Buffer.concat(chunks) });
    const [status, body] = answers[asked.length - 1]!;
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const document = docx(["One"]);
  expect(Buffer.from(await renderByGotenberg(document, url)).toString()).toBe("%PDF-1.7 and more");
  expect(asked[0]).toMatchObject({
    path: "/forms/libreoffice/convert",
    type: expect.stringMatching(/^multipart\/form-data; boundary=/),
  });
  expect(asked[0]!.body.includes(document)).toBe(true);
  expect(asked[0]!.body.toString("latin1")).toContain('name="files"; filename="document.docx"');
  await expect(renderByGotenberg(document, url)).rejects.toThrow("answered 503: Service Unavailable");
  await expect(renderByGotenberg(document, url)).rejects.toThrow("something that is not a PDF");
  await new Promise((resolve) => server.close(resolve));
  await expect(renderByGotenberg(document, url)).rejects.toThrow("The Gotenberg server cannot be reached");
});
