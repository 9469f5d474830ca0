/** What clients that upload and download documents can rely on. */
import { createHash } from "node:crypto";
import { request } from "node:http";
import { createConnection } from "node:net";
import { pdfOfSize, simplePdf } from "../corpus/pdf.ts";
import { docxOf } from "../corpus/zip.ts";
import { type Document, form, inJson, uploadForm, uploadJson } from "../documents.ts";
import { expect, type Reply, test, type Workspace } from "../fixtures.ts";

const limit = 52_428_800;
const pdfType = "application/pdf";

const document = (bytes: Buffer, fileName = "agreement.pdf"): Document => ({
  ...{ fileName, bytes, contentType: pdfType },
});

const fields = ({ ownerId }: Workspace) => ({ title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId });

const expectRefused = ({ status, body }: Reply, expected: number, code: string) =>
  expect([status, body.error.code]).toEqual([expected, code]);

/** Downloads a document as bytes. */
async function download(
  workspace: Workspace,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
) {
  const url = path.startsWith("http") ? path : `${process.env.BASE_URL}/api/v1${path}`;
  const key: Record<string, string> = path.startsWith("http") ? {} : { "x-api-key": workspace.key };
  const response = await fetch(url, { method, headers: { ...key, ...headers } });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

test("a contract can be created with a document, as JSON or as a form, which becomes version 1", async ({
  workspace,
}) => {
  const sent = document(simplePdf("with a contract"));
  const made = await workspace.api("POST /contracts", {
    body: { ...fields(workspace), document: inJson(sent) },
  });
  expect(made.status, made.text).toBe(201);
  expect(made.body.version).toEqual({
    id: expect.stringMatching(/^ver_/),
    contractId: made.body.contract.id,
    versionNumber: 1,
    parentVersionId: null,
    source: "UPLOADED",
    fileName: "agreement.pdf",
    contentType: pdfType,
    sizeBytes: sent.bytes.length,
    sha256: createHash("sha256").update(sent.bytes).digest("hex"),
    uploadedById: null,
    createdAt: expect.stringMatching(/Z$/),
  });
  const inForm = await workspace.api("POST /contracts", form(document(simplePdf("form")), fields(workspace)));
  expect(inForm.status, inForm.text).toBe(201);
  expect(inForm.body.version.versionNumber).toBe(1);
  const without = await workspace.api("POST /contracts", { body: fields(workspace) });
  expect(without.body.version).toBeNull();
});

test("versions are numbered, name the version before and are listed newest first", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const first = await uploadJson(workspace.api, id, document(simplePdf("1")));
  const second = await uploadForm(workspace.api, id, document(simplePdf("2")));
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.version).toMatchObject({ versionNumber: 2, parentVersionId: first.body.version.id });
  const { body } = await workspace.api(`GET /contracts/${id}/versions`);
  expect(body.data).toEqual([second.body.version, first.body.version]);
  const { body: audit } = await workspace.api(`GET /audit-events?action=VERSION_UPLOADED&contractId=${id}`);
  expect(audit.data).toHaveLength(2);
  expect(audit.data[0].payload.target).toEqual({ type: "version", id: second.body.version.id });
});

test("concurrent uploads get version numbers without gaps", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const marks = ["a", "b", "c", "d", "e", "f"];
  const replies = await Promise.all(
    marks.map((mark) => uploadForm(workspace.api, id, document(simplePdf(mark)))),
  );
  const numbers = replies.map(({ body }) => body.version.versionNumber).sort();
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
});

test("uploading the same document to a contract twice is 409, and names the existing version", async ({
  workspace,
}) => {
  // The title, which the error quotes, reads like a database error.
  const { id } = await workspace.contract({ title: "deadlock detected: 23503" });
  const sent = document(simplePdf("twice"));
  const { body } = await uploadJson(workspace.api, id, sent);
  const again = await uploadForm(workspace.api, id, { ...sent, fileName: "other.pdf" });
  expectRefused(again, 409, "duplicate_document");
  expect(again.body.error.message).toContain(`version 1 (${body.version.id})`);
  const elsewhere = await workspace.contract();
  expect((await uploadJson(workspace.api, elsewhere.id, sent)).status).toBe(201);
});

test("a new contract with a live contract's document is 409, unless allowDuplicate is set", async ({
  workspace,
  other,
}) => {
  const body = { ...fields(workspace), document: inJson(document(simplePdf("live"))) };
  const first = await workspace.api("POST /contracts", { body });
  expect(first.status).toBe(201);
  const refused = await workspace.api("POST /contracts", { body });
  expectRefused(refused, 409, "duplicate_document");
  expect(refused.body.error.message).toContain(first.body.version.id);
  expect((await workspace.api("GET /contracts")).body.total).toBe(1);
  expect((await workspace.api("POST /contracts", { body: { ...body, allowDuplicate: true } })).status).toBe(
    201,
  );
  const theirs = await other.api("POST /contracts", { body: { ...body, ownerId: other.ownerId } });
  expect(theirs.status, "another workspace's documents do not count").toBe(201);
});

test("only one of several concurrent new contracts with the same document is created", async ({
  workspace,
}) => {
  const body = { ...fields(workspace), document: inJson(document(simplePdf("race"))) };
  const replies = await Promise.all([1, 2, 3, 4].map(() => workspace.api("POST /contracts", { body })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});

test("a cancelled contract's document may be used again", async ({ workspace }) => {
  const body = { ...fields(workspace), document: inJson(document(simplePdf("cancelled"))) };
  const { contract } = (await workspace.api("POST /contracts", { body })).body;
  await workspace.api(`POST /contracts/${contract.id}/status`, { body: { next: "CANCELLED" } });
  expect((await workspace.api("POST /contracts", { body })).status).toBe(201);
});

test("invalid fields and files are reported at once, with the paths of the JSON body or the form", async ({
  workspace,
}) => {
  const bad = document(Buffer.from("no document"), "../x.pdf");
  const asJson = await workspace.api("POST /contracts", { body: { type: "X", document: inJson(bad) } });
  expectRefused(asJson, 422, "validation_error");
  const paths = ({ body }: Reply) => body.error.details.issues.map(({ path }: { path: string }) => path);
  expect(paths(asJson)).toEqual(
    expect.arrayContaining(["title", "type", "ownerId", "document.contentType", "document.fileName"]),
  );
  const asForm = await workspace.api("POST /contracts", form(bad, { type: "X" }));
  expect(paths(asForm)).toEqual(expect.arrayContaining(["title", "type", "ownerId", "file"]));
  const notBase64 = { ...inJson(bad), contentBase64: "%%%" };
  const malformed = await workspace.api("POST /contracts", { body: { document: notBase64 } });
  expect(paths(malformed)).toContain("document.contentBase64");
});

test("a form with no file, two files, unknown parts or a missing end is refused with the reason", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const post = (raw: string | Uint8Array, boundary = "b") =>
    workspace.api(`POST /contracts/${id}/versions`, {
      raw,
      headers: { "content-type": `multipart/form-data${boundary && `; boundary=${boundary}`}` },
    });
  const part = (name: string, text: string, more = "") =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`;
  const file = part("file", simplePdf("f").toString("latin1"), '; filename="a.pdf"');
  const issues = async (raw: string) => (await post(raw)).body.error.details?.issues;
  expect(await issues(`${part("data", "{}")}--b--\r\n`)).toContainEqual({
    path: "file",
    message: "is required",
  });
  expect(await issues(`${file}${file}--b--\r\n`)).toContainEqual({
    path: "file",
    message: "must be one file",
  });
  expect(await issues(`${part("title", "x")}${file}--b--\r\n`)).toContainEqual(
    expect.objectContaining({ path: "title" }),
  );
  expect(await issues(`${part("data", '{"document":{}}')}${file}--b--\r\n`)).toContainEqual(
    expect.objectContaining({ path: "document" }),
  );
  expectRefused(await post(`${part("data", "{nonsense")}${file}--b--\r\n`), 400, "invalid_body");
  expectRefused(await post(file.slice(0, 200)), 400, "invalid_body");
  expectRefused(await post(file, ""), 400, "invalid_body");
});

test("base64 is accepted with JSON escapes, with line breaks and without padding", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const plain = simplePdf("\u00fb\u00ff\u00fe>>>???".repeat(9));
  const base64 = plain.toString("base64");
  const writings = [
    base64.replaceAll("/", "\\/").replaceAll("+", "\\u002b").replaceAll("=", "\\u003D"),
    base64.replaceAll(/.{76}/g, "$&\\r\\n"),
    base64.replaceAll("=", ""),
  ];
  for (const [index, written] of writings.entries()) {
    const raw = `{ "document" : {"contentBase64":"${written}", "fileName":"a.pdf","contentType":"${pdfType}"}}`;
    const reply = await workspace.api(`POST /contracts/${id}/versions`, { raw });
    expect(reply.status, reply.text).toBe(index === 0 ? 201 : 409);
  }
});

test("an Idempotency-Key makes an upload safe to repeat, as JSON or as a form", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const headers = { "idempotency-key": "upload-1" };
  const sent = document(simplePdf("idempotent"));
  const body = { document: inJson(sent) };
  const path = `POST /contracts/${id}/versions` as const;
  const first = await workspace.api(path, { body, headers });
  const again = await workspace.api(path, { body, headers });
  expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
  expect(again.body).toEqual(first.body);
  const inForm = form(sent);
  const asForm = await workspace.api(path, { ...inForm, headers: { ...inForm.headers, ...headers } });
  expect([asForm.status, asForm.body]).toEqual([201, first.body]);
  const another = { document: inJson(document(simplePdf("another"))) };
  expectRefused(await workspace.api(path, { body: another, headers }), 409, "idempotency_key_reused");
});

test("a file of 52,428,800 bytes is accepted as JSON and as a form, and one byte more is 413", async ({
  workspace,
}) => {
  test.setTimeout(300_000);
  const { id } = await workspace.contract();
  expect((await uploadForm(workspace.api, id, document(pdfOfSize(limit, "form")))).status).toBe(201);
  expect((await uploadJson(workspace.api, id, document(pdfOfSize(limit, "json")))).status).toBe(201);
  for (const upload of [uploadForm, uploadJson]) {
    const reply = await upload(workspace.api, id, document(pdfOfSize(limit + 1)));
    expectRefused(reply, 413, "file_too_large");
  }
});

/** Sends until the response arrives, at most 400 MB; returns its status and how many bytes were sent. */
async function sendForever(workspace: Workspace, id: string, headers: Record<string, string>, head: string) {
  const sending = request(`${process.env.BASE_URL}/api/v1/contracts/${id}/versions`, {
    method: "POST",
    headers: { "x-api-key": workspace.key, ...headers },
  });
  const answered = Promise.withResolvers<number>();
  let status = 0;
  sending.on("response", (response) => {
    status = response.statusCode ?? 0;
    response.resume();
    answered.resolve(status);
  });
  sending.on("error", answered.reject);
  let sent = 0;
  const chunk = Buffer.alloc(1024 * 1024, 0x41);
  const send = () => {
    while (status === 0 && sent < 400 * chunk.length) {
      sent += chunk.length;
      if (!sending.write(chunk)) return;
    }
  };
  sending.on("drain", send);
  sending.write(head);
  send();
  await answered.promise;
  sending.destroy();
  return { status, sent };
}

test("an oversized upload is refused without reading the rest, with or without a Content-Length", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const boundary = { "content-type": "multipart/form-data; boundary=b" };
  const inForm = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n';
  const json = { "content-type": "application/json" };
  const inJson = '{"document":{"contentBase64":"';
  for (const [headers, head] of [
    [boundary, inForm],
    [json, inJson],
  ] as const) {
    const chunked = await sendForever(workspace, id, headers, head);
    expect([chunked.status, chunked.sent < 1.6 * limit]).toEqual([413, true]);
    const told = await sendForever(workspace, id, { ...headers, "content-length": String(2 ** 30) }, head);
    expect([told.status, told.sent < 20 * 1024 * 1024]).toEqual([413, true]);
  }
});

test("an upload with a Content-Length that is too small or too large is 400 and stores nothing", async ({
  workspace,
}) => {
  const { id } = await workspace.contract();
  const url = new URL(process.env.BASE_URL!);
  const sending = [
    form(document(simplePdf("false length"))),
    {
      raw: JSON.stringify({ document: inJson(document(simplePdf("false length"))) }),
      headers: { "content-type": "application/json" },
    },
  ];
  for (const { raw, headers } of sending) {
    for (const excess of [-10, 10]) {
      const socket = createConnection({ port: Number(url.port), host: url.hostname, allowHalfOpen: true });
      const head = {
        ...{ host: url.host, "x-api-key": workspace.key, connection: "close", ...headers },
        "content-length": String(Buffer.byteLength(raw) + excess),
      };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST /api/v1/contracts/${id}/versions HTTP/1.1\r\n${lines.join("")}\r\n`);
      socket.end(raw);
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect(answer, `${excess}`).toMatch(/^HTTP\/1\.1 400 /);
    }
  }
  expect((await workspace.api(`GET /contracts/${id}/versions`)).body.data).toEqual([]);
});

test("a download returns the uploaded bytes as a named attachment, and is logged", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const sent = document(simplePdf("download"), 'Ünal "final" 契約.pdf');
  const { version } = (await uploadForm(workspace.api, id, sent)).body;
  const path = `/contracts/${id}/versions/${version.id}/download`;
  const { response, bytes } = await download(workspace, path);
  expect(bytes.equals(sent.bytes)).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": pdfType,
    "content-length": String(bytes.length),
    etag: `"${version.sha256}"`,
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  });
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename=".*filename\*=UTF-8''/);
  expect((await download(workspace, path, {}, "HEAD")).response.headers.get("content-length")).toBe(
    String(bytes.length),
  );
  expect((await download(workspace, path, { "if-none-match": `"${version.sha256}"` })).response.status).toBe(
    304,
  );
  const { body } = await workspace.api("GET /audit-events?action=VERSION_DOWNLOADED");
  expect(body.data).toHaveLength(1);
  expect(body.data[0].contract.id).toBe(id);
});

test("a DOCX is downloaded byte for byte as it was uploaded", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const contentType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  const bytes = docxOf("As it was");
  const { version } = (await uploadJson(workspace.api, id, { fileName: "a.docx", contentType, bytes })).body;
  const got = await download(workspace, `/contracts/${id}/versions/${version.id}/download`);
  expect(got.bytes.equals(bytes)).toBe(true);
  expect(got.response.headers.get("content-type")).toBe(contentType);
});

test("byte range requests are answered according to RFC 9110", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const sent = document(simplePdf("ranges"));
  const size = sent.bytes.length;
  const { version } = (await uploadForm(workspace.api, id, sent)).body;
  const path = `/contracts/${id}/versions/${version.id}/download`;
  const ask = (range: string, more = {}) => download(workspace, path, { range, ...more });
  for (const [range, start, end] of [
    ["bytes=0-9", 0, 9],
    ["bytes=10-", 10, size - 1],
    ["bytes=-5", size - 5, size - 1],
    ["bytes=5-999999", 5, size - 1],
  ] as const) {
    const { response, bytes } = await ask(range);
    expect([response.status, response.headers.get("content-range")]).toEqual([
      206,
      `bytes ${start}-${end}/${size}`,
    ]);
    expect(bytes.equals(sent.bytes.subarray(start, end + 1)), range).toBe(true);
  }
  const beyond = await ask(`bytes=${size}-`);
  expect([beyond.response.status, beyond.response.headers.get("content-range")]).toEqual([
    416,
    `bytes */${size}`,
  ]);
  expect(JSON.parse(beyond.bytes.toString()).error.code).toBe("range_not_satisfiable");
  for (const range of ["bytes=0-1,4-5", "lines=1-2", "nonsense"]) {
    expect((await ask(range)).response.status, range).toBe(200);
  }
  expect((await ask("bytes=0-9", { "if-range": `"${version.sha256}"` })).response.status).toBe(206);
  expect((await ask("bytes=0-9", { "if-range": '"another"' })).response.status).toBe(200);
});

test("a signed URL serves a single file, for five minutes, with scripts disabled", async ({ workspace }) => {
  const { signedUrl } = await import("#lib/storage/signed.ts");
  const { id } = await workspace.contract();
  const sent = document(simplePdf("signed link"));
  const { version } = (await uploadForm(workspace.api, id, sent)).body;
  const shown = { sha256: version.sha256, fileName: "a b.pdf", contentType: pdfType } as const;
  const { url, expiresInSeconds } = signedUrl(workspace.ctx, { ...shown, disposition: "inline" });
  expect(expiresInSeconds).toBe(300);
  const here = `${process.env.BASE_URL}${new URL(url).pathname}`;
  const { response, bytes } = await download(workspace, here);
  expect(bytes.equals(sent.bytes)).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "content-disposition": 'inline; filename="a b.pdf"',
  });
  expect((await download(workspace, here, { range: "bytes=0-3" })).bytes.toString()).toBe("%PDF");
  const [, token = ""] = /files\/([^/]+)/.exec(here) ?? [];
  for (const altered of [
    token.replace(/.$/, "!"),
    token.replace(/^.{9}/, "AAAAAAAAA"),
    token.split(".")[0],
    "x",
  ]) {
    const { response: refused } = await download(workspace, here.replace(token, altered!));
    expect(refused.status, altered).toBe(403);
  }
  expect((await download(workspace, here, {}, "DELETE")).response.status).toBe(405);
  const { verifySignedPath } = await import("#lib/storage/signed.ts");
  const later = new Date(Date.now() + 301_000);
  expect(() => verifySignedPath(new URL(url).pathname, later)).toThrow("expired");
});

test("a new version sends a version.created event", async ({ workspace }) => {
  const { database } = await import("#lib/core/db.ts");
  await workspace.api("POST /webhook-endpoints", {
    body: { url: "http://127.0.0.1:9/", events: ["version.created"] },
  });
  const { id } = await workspace.contract();
  const { version } = (await uploadJson(workspace.api, id, document(simplePdf("event")))).body;
  const { organizationId } = workspace;
  const [event] = await database().prisma.event.findMany({ where: { organizationId } });
  expect(JSON.parse(event!.payload).data.version).toEqual(version);
});
