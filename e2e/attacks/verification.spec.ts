/** How strangers can affect others through the page that verifies signed PDFs. */
import { randomBytes } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspectDocument } from "#lib/contracts/documents.ts";
import { PDFDocument, StandardFonts } from "#lib/documents/pdf/pdf-lib.ts";
import { sealDocument } from "#lib/documents/seal/seal.ts";
import { verifyOffline } from "#lib/signatures/verify/verification.ts";
import { refused } from "../corpus/files.ts";
import { type Document, form, uploadForm } from "../documents.ts";
import { expect, test } from "../fixtures.ts";
import { type Installation, install } from "../installation.ts";
import { pdfOf } from "../pdf.ts";
import { evidenceOf, people, sealingKey } from "../sealing.ts";
import { descendantsOf, glance } from "./processes.ts";

test.describe.configure({ mode: "serial" });

let product: Installation;

test.beforeAll(async () => {
  // Behind a proxy, so that strangers have different addresses; and without a limit of requests.
  product = await install({ RATE_LIMIT_PER_MINUTE: "0", TRUSTED_PROXIES: "1" });
});

test.afterAll(async () => product?.close());

/** Returns a file of 15 kB that unpacks to 1.5 GB. */
async function bomb(): Promise<Document> {
  const file = refused.find(({ what }) => what === "an object stream deflated twice")!;
  const bytes = await file.bytes();
  expect(bytes.length).toBeLessThan(20_000);
  return { ...file, bytes };
}

async function check(file: Document, address: string, signal?: AbortSignal) {
  const { raw, headers } = form(file);
  const url = `${product.server.url}/api/member/verification.check`;
  const response = await fetch(url, {
    method: "POST",
    body: raw,
    headers: { ...headers, origin: product.server.url, "x-forwarded-for": address },
    ...(signal ? { signal } : {}),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const checking = async () =>
  (await descendantsOf(product.server.process.pid!)).filter(({ command }) => command.includes("readSeal"));

const incoming = () => readdir(join(product.environment.DATA_DIR!, "incoming")).catch(() => []);

test("PDF verification takes 20 files per IP address or IPv6 network, then 429, even with rate limits off", async () => {
  // Every file counts when it arrives, whatever it is.
  const file = { fileName: "a.pdf", contentType: "application/pdf", bytes: Buffer.alloc(0) };
  const address = "198.51.100.77";
  for (let sent = 0; sent < 20; sent++) expect((await check(file, address)).status).toBe(422);
  const over = await check(file, address);
  expect(over.status).toBe(429);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await check(file, "198.51.100.78")).status).toBe(422);
  // An IPv6 network has too many addresses to count each one, so it counts as one.
  for (let sent = 0; sent < 20; sent++) {
    expect((await check(file, `2001:db8:7:7:${sent}::1`)).status).toBe(422);
  }
  expect((await check(file, "2001:db8:7:7:abcd::1")).status).toBe(429);
});

test("files from unauthenticated visitors are read one at a time, with a short queue, and the rest get 503", async () => {
  const file = await bomb();
  const most: number[] = [];
  let over = false;
  const looking = (async () => {
    while (!over) most.push((await glance(checking)).length);
  })();
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, index) => check(file, `203.0.113.${index}`)),
  );
  over = true;
  await looking;
  expect(Math.max(...most)).toBe(1);
  const byStatus = Map.groupBy(replies, ({ status }) => status);
  expect([...byStatus.keys()].sort()).toEqual([200, 503]);
  expect(byStatus.get(200)!.length).toBeLessThanOrEqual(12);
  for (const { body, headers } of byStatus.get(503)!) {
    expect(body.error.code).toBe("unavailable");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  for (const { body } of byStatus.get(200)!) expect(body.verification.ok).toBe(false);
  expect(await incoming()).toEqual([]);
});

test("one IP address cannot fill the verification queue, and a file from another waits for at most two", async () => {
  const file = await bomb();
  const order: string[] = [];
  const ask = async (who: string, address: string) => {
    const { status } = await check(file, address);
    if (status === 200) order.push(who);
    return status;
  };
  const greedy = Array.from({ length: 7 }, () => ask("greedy", "192.0.2.1"));
  await expect.poll(async () => (await checking()).length, { intervals: [20] }).toBe(1);
  const other = ask("other", "192.0.2.2");
  const statuses = await Promise.all(greedy);
  expect(await other).toBe(200);
  expect(statuses).toContain(503);
  expect(order.indexOf("other")).toBeLessThanOrEqual(2);
});

test("when a visitor disconnects, the process verifying their file is stopped and the file is removed", async () => {
  const file = await bomb();
  const leaving = new AbortController();
  const asked = Array.from({ length: 5 }, (_, index) =>
    check(file, `192.0.2.${10 + index}`, leaving.signal).catch((error: Error) => error.name),
  );
  await expect.poll(async () => (await checking()).length, { intervals: [20] }).toBe(1);
  const [{ pid } = { pid: 0 }] = await checking();
  leaving.abort();
  expect(await Promise.all(asked)).toEqual(Array(5).fill("AbortError"));
  // This one is stopped, and the next one of those who left is not started.
  await expect.poll(checking).toEqual([]);
  await expect.poll(incoming).toEqual([]);
  const honest = { fileName: "a.pdf", contentType: "application/pdf", bytes: await pdfOf([["x"]]) };
  expect((await check(honest, "192.0.2.30")).status).toBe(200);
  expect((await checking()).map((one) => one.pid)).not.toContain(pid);
});

test("uploads do not queue behind files from unauthenticated visitors", async () => {
  // This tests whose turn it was, not how long it took: a busy machine may be slow for all of them.
  test.setTimeout(300_000);
  const contract = await product.api("POST /contracts", {
    body: { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId: product.ownerId },
  });
  expect(contract.status, contract.text).toBe(201);
  const { id } = contract.body.contract;
  const upload = async () => {
    const bytes = await pdfOf([[randomBytes(8).toString("hex")]]);
    const reply = await uploadForm(product.api, id, {
      ...{ fileName: "honest.pdf", contentType: "application/pdf", bytes },
    });
    expect(reply.status, reply.text).toBe(201);
  };
  const file = await bomb();
  let over = false;
  let asked = 0;
  let done = 0;
  const attack = Array.from({ length: 20 }, async () => {
    while (!over) {
      const { status } = await check(file, `10.7.${asked >> 8}.${asked++ & 255}`);
      if (status === 200) done++;
      // Clients that get 503 do not retry at once: that is another attack, which a proxy's limits are for.
      if (status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  await expect.poll(async () => (await checking()).length, { intervals: [20] }).toBe(1);
  const meanwhile: number[] = [];
  for (let count = 0; count < 12; count++) {
    const before = done;
    await upload();
    meanwhile.push(done - before);
  }
  over = true;
  await Promise.all(attack);
  expect(asked).toBeGreaterThan(20);
  expect(done).toBeGreaterThan(0);
  // In the same queue as theirs, an upload would wait for all of them.
  expect(meanwhile.toSorted((a, b) => a - b)[10]).toBeLessThanOrEqual(2);
});

test("the largest allowed document can be sealed, and the sealed PDF verifies", async () => {
  test.setTimeout(300_000);
  const bytes = await largestDocument();
  expect(bytes.length).toBeGreaterThan(52_000_000);
  expect(bytes.length).toBeLessThanOrEqual(50 * 1024 * 1024);
  const path = test.info().outputPath("largest.pdf");
  await writeFile(path, bytes);
  const said = { path, fileName: "largest.pdf", contentType: "application/pdf" };
  expect(await inspectDocument(said, { share: "test" })).toMatchObject({ pageCount: 2000 });
  const evidence = evidenceOf(
    bytes,
    Array.from({ length: 100 }, (_, index) => `${people[index % people.length]} ${index}`),
  );
  const fields = evidence.signers.flatMap(({ id, name }, index) =>
    Array.from({ length: 5 }, (_, page) => ({
      ...{ signerId: id, pageIndex: index * 5 + page, xPct: 10, yPct: 40, wPct: 25, hPct: 7 },
      mark: { typed: name },
    })),
  );
  const sealed = await sealDocument({ path, evidence, fields }, sealingKey());
  expect(sealed.bytes.length).toBeGreaterThan(bytes.length);
  await writeFile(path, sealed.bytes);
  const { certificate } = await verifyOffline(path);
  const { ok, checks } = await verifyOffline(path, certificate!.fingerprint);
  expect(checks.filter(({ holds }) => holds === false)).toEqual([]);
  expect(ok).toBe(true);
});

/** Returns a PDF of 2,000 full pages, each with a picture, together as large as allowed. */
async function largestDocument(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= 2000; number++) {
    const page = document.addPage([595, 842]);
    const line = `${number}  The provider performs the services with the care of a prudent business.`;
    page.drawText(Array<string>(44).fill(line).join("\n"), { x: 60, y: 770, size: 10, font, lineHeight: 15 });
    const picture = document.context.stream(randomBytes(25_400), { Type: "XObject", Subtype: "Form" });
    page.node.newXObject("Picture", document.context.register(picture));
  }
  return Buffer.from(await document.save());
}
