/** The first page of a document as an image: who can see it, when it is rendered, and how long it is kept. */
import { database } from "#lib/core/db.ts";
import { findStored } from "#lib/storage/store.ts";
import { removeUnreferenced } from "#lib/storage/sweep.ts";
import { catalog, pdfOf as objectsOf, pagesOf, streamOf } from "../corpus/pdf.ts";
import { uploadForm } from "../documents.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { type Browser, signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";

async function upload(workspace: Workspace, bytes: Buffer, contractId?: string) {
  const id = contractId ?? (await workspace.contract()).id;
  const reply = await uploadForm(workspace.api, id, {
    fileName: "lease.pdf",
    contentType: "application/pdf",
    bytes,
  });
  expect(reply.status, reply.text).toBe(201);
  return { contractId: id, versionId: reply.body.version.id as string };
}

const rowOf = (versionId: string) => database().prisma.versionPreview.findFirst({ where: { versionId } });

async function drawn(browser: Browser, version: { contractId: string; versionId: string }) {
  const read = async () => (await browser.call("previews.read", version)).body.preview;
  await expect.poll(async () => (await read()).state, { timeout: 30_000 }).not.toBe("PENDING");
  return read();
}

test("a first page is rendered on first view, and only people who can read the contract can see it", async ({
  workspace,
  other,
}) => {
  const version = await upload(workspace, await pdfOf([["Lease of a mill"], ["Page two"]]));
  const [viewer, stranger] = await Promise.all([signedIn(workspace, "viewer"), signedIn(other, "owner")]);
  // Uploaded by a program: no one has looked at it yet.
  expect(await rowOf(version.versionId)).toBeNull();
  const address = `/api/previews/${version.versionId}`;
  expect((await viewer.get(address)).status).toBe(404);
  expect(await drawn(viewer, version)).toEqual({ state: "READY", width: 1000, height: 1415 });

  const image = await viewer.get(address);
  expect(image.status).toBe(200);
  const header = (name: string) => image.headers.get(name);
  expect(header("content-type")).toBe("image/webp");
  // Browsers may cache it, but must revalidate it before each use.
  expect(header("cache-control")).toBe("private, no-cache");
  expect([header("x-content-type-options"), header("cross-origin-resource-policy")]).toEqual([
    "nosniff",
    "same-origin",
  ]);
  expect(Buffer.from(await image.arrayBuffer()).toString("latin1", 8, 12)).toBe("WEBP");
  const again = await viewer.get(address, { "if-none-match": header("etag")! });
  expect([again.status, await again.text()]).toEqual([304, ""]);

  const { sha256 } = (await rowOf(version.versionId))!;
  expect((await viewer.call("previews.read", version)).body.preview.state).toBe("READY");
  expect((await rowOf(version.versionId))!.sha256).toBe(sha256);

  // No one else: another workspace, a visitor without a session, a program's key, another site's page, no version.
  expect((await stranger.call("previews.read", version)).status).toBe(404);
  const base = process.env.BASE_URL! + address;
  const refused = await Promise.all([
    stranger.get(address),
    fetch(base),
    fetch(base, { headers: { "x-api-key": workspace.key } }),
    viewer.get(address, { "sec-fetch-site": "cross-site" }),
    viewer.get("/api/previews/ver_%00"),
    fetch(base, { method: "POST" }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([404, 401, 401, 403, 404, 405]);
  const known = { "if-none-match": header("etag")! };
  expect((await stranger.get(address, known)).status).toBe(404);
  await viewer.signOut();
  expect((await viewer.get(address, known)).status).toBe(401);
});

test("a stored preview image is removed only once no preview refers to it", async ({ workspace }) => {
  const version = await upload(workspace, await pdfOf([["To be kept"]]));
  await drawn(await signedIn(workspace, "member"), version);
  const { sha256 } = (await rowOf(version.versionId))!;
  const { organizationId } = workspace;
  const key = { organizationId, sha256: sha256! };
  expect(await removeUnreferenced(key)).toBe(0);
  await findStored(organizationId, sha256!);
  const where = { organizationId_versionId: { organizationId, versionId: version.versionId } };
  await database().prisma.versionPreview.delete({ where });
  expect(await removeUnreferenced(key)).toBe(1);
  await expect(findStored(organizationId, sha256!)).rejects.toThrow("is missing");
});

test("a page that cannot be rendered within its limits fails without affecting the document or later previews", async ({
  workspace,
}) => {
  const version = await upload(workspace, endless());
  const member = await signedIn(workspace, "member");
  expect(await drawn(member, version)).toEqual({ state: "FAILED", width: null, height: null });
  expect((await member.get(`/api/previews/${version.versionId}`)).status).toBe(404);
  // The document itself is available, and later documents are rendered.
  expect((await member.call("versions.viewUrl", { ...version, as: "pdf" })).status).toBe(200);
  const next = await upload(workspace, await pdfOf([["The next one"]]), version.contractId);
  expect((await drawn(member, next)).state).toBe("READY");
});

/** A page of ten kilobytes that would take years to render: each form draws the one below it a hundred times. */
function endless(): Buffer {
  const levels = 12;
  const first = 5;
  const form = (level: number) => {
    const below = `/Resources<</XObject<</F ${first + level + 1} 0 R>>>>`;
    const isLast = level === levels;
    const content = isLast ? "0 0 m 9 9 l S" : "/F Do ".repeat(100);
    return streamOf(Buffer.from(content), `/Type/XObject/Subtype/Form/BBox[0 0 99 99]${isLast ? "" : below}`);
  };
  const resources = `/Resources<</XObject<</F ${first} 0 R>>>>`;
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R${resources}>>`;
  const forms = Array.from({ length: levels + 1 }, (_, level) => form(level));
  return objectsOf([catalog, pagesOf(1, [3]), page, streamOf(Buffer.from("/F Do"), ""), ...forms]);
}
