/** Many documents at once: each becomes one contract, however often it is sent; each member has their own list. */
import { database } from "#lib/core/db.ts";
import { forgetOldUploads } from "#lib/uploads/list.ts";
import { inJson } from "../documents.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { type Browser, code, signedIn } from "../members.ts";
import { pdfOf } from "../pdf.ts";

test.describe.configure({ timeout: 150_000 });

const pdf = (fileName: string, bytes: Buffer) => ({ fileName, contentType: "application/pdf", bytes });

/** Adds names to a member's list; returns their ids. */
async function add(member: Browser, paths: string[], sizeBytes = 1_000): Promise<string[]> {
  const { body, text } = await member.call("uploads.add", {
    files: paths.map((path) => ({ path, sizeBytes })),
  });
  expect(body.data, text).toHaveLength(paths.length);
  return body.data.map(({ id }: { id: string }) => id);
}

async function send(member: Browser, id: string, bytes: Buffer, title = "By its file") {
  const { status, body, text } = await member.call("uploads.send", {
    ...{ id, title },
    document: inJson(pdf("agreement.pdf", bytes)),
  });
  expect(status, text).toBe(200);
  return body.upload;
}

const contractsOf = async ({ api }: Workspace) => (await api("GET /contracts")).body.data;

const agreement = () =>
  pdfOf([
    [
      "MASTER SERVICES AGREEMENT",
      'This Master Services Agreement (the "Agreement") is made as of the 1st day of',
      'June, 2031 (the "Effective Date") by and between Test workspace, Inc. and',
      "Fabrikam Limited.",
    ],
  ]);

test("an uploaded file becomes one contract with its document's data, even if sent repeatedly or concurrently", async ({
  workspace,
}) => {
  const { counterparty } = (
    await workspace.api("POST /counterparties", { body: { name: "Fabrikam Limited" } })
  ).body;
  const member = await signedIn(workspace, "member");
  const [id, plain] = await add(member, ["Suppliers/msa.pdf", "Suppliers/letter.pdf"]);
  const bytes = await agreement();
  const answers = await Promise.all([send(member, id!, bytes), send(member, id!, bytes)]);
  answers.push(await send(member, id!, bytes));
  const [{ contract }] = answers;
  for (const answer of answers) expect(answer).toMatchObject({ id, state: "CREATED", contract });
  await send(member, plain!, await pdfOf([["Dear Ann"]]), "Letter");
  const [letter, made, ...others] = await contractsOf(workspace);
  expect(others).toEqual([]);
  expect(made).toMatchObject({
    ...{ id: contract.id, title: "Master Services Agreement with Fabrikam Limited", type: "MSA" },
    ...{ status: "DRAFT", counterpartyId: counterparty.id, ownerId: member.userId, effectiveDate: null },
  });
  expect(letter).toMatchObject({ title: "Letter", type: "OTHER", counterpartyId: null });
  const events = await workspace.api(`GET /audit-events?contractId=${contract.id}&via=user`);
  expect(
    events.body.data.map(({ action, actor }: Record<string, { id: string }>) => [action, actor!.id]),
  ).toEqual([
    ["VERSION_UPLOADED", member.userId],
    ["CONTRACT_CREATED", member.userId],
  ]);
  expect((await member.call("uploads.summary")).body).toEqual({ total: 2, missing: 0, duplicates: 0 });
});

test("a duplicate document is reported, and becomes a contract only on explicit request", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const [first, second, third] = await add(member, ["one.pdf", "copies/one.pdf", "copies/two.pdf"]);
  const bytes = await pdfOf([["The same"]]);
  const { contract } = await send(member, first!, bytes, "One");
  for (const id of [second, third]) {
    expect(await send(member, id!, bytes)).toMatchObject({ state: "DUPLICATE", contract });
  }
  expect(await contractsOf(workspace)).toHaveLength(1);
  expect((await member.call("uploads.skip", { ids: [first!, third!] })).status).toBe(204);
  const again = () => member.call("uploads.createDuplicate", { id: second!, title: "One again" });
  const answers = await Promise.all([again(), again()]);
  for (const { body } of answers) {
    expect(body.upload).toMatchObject({ state: "CREATED", contract: { title: "One again" } });
  }
  const skipped = await member.call("uploads.createDuplicate", { id: third!, title: "Two" });
  expect(code(skipped), "what was skipped keeps no bytes").toBe("404 not_found");
  const states = (await member.call("uploads.list")).body.data.map(({ state }: { state: string }) => state);
  expect(states).toEqual(["CREATED", "CREATED", "SKIPPED"]);
  const created = await contractsOf(workspace);
  expect(created.map(({ title }: { title: string }) => title)).toEqual(["One again", "One"]);
  const [version] = (await workspace.api(`GET /contracts/${created[0].id}/versions`)).body.data;
  expect(version).toMatchObject({ fileName: "one.pdf", source: "UPLOADED", sizeBytes: bytes.length });
  // A cancelled contract frees the name, and does not count as a duplicate.
  await workspace.api(`POST /contracts/${contract.id}/status`, { body: { next: "CANCELLED" } });
  await workspace.api(`POST /contracts/${created[0].id}/status`, { body: { next: "CANCELLED" } });
  expect(await send(member, third!, bytes)).toMatchObject({ state: "CREATED" });
});

test("a duplicate with an unsafe file name is stored under a safe one", async ({ workspace }) => {
  const member = await signedIn(workspace, "member");
  const [first, disguised] = await add(member, ["one.pdf", "Invoice\u202efdp.hta"]);
  const bytes = await pdfOf([["The same"]]);
  await send(member, first!, bytes);
  expect(await send(member, disguised!, bytes)).toMatchObject({ state: "DUPLICATE" });
  const made = await member.call("uploads.createDuplicate", { id: disguised!, title: "Disguised" });
  const { data } = (await workspace.api(`GET /contracts/${made.body.upload.contract.id}/versions`)).body;
  expect(data[0].fileName).toBe("document.pdf");
});

test("a file already on the list is not added again, matched by path or, while missing, by name", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const [a, b, other] = await add(member, ["Deals/a.pdf", "Deals/b.pdf", "Deals/2/a.pdf"]);
  await send(member, a!, await pdfOf([["A"]]));
  expect(await add(member, ["Deals/a.pdf", "Deals/b.pdf", "Deals/2/a.pdf"])).toEqual([a, b, other]);
  expect(await add(member, ["b.pdf", "a.pdf"])).toEqual([b, other]);
  const [larger] = await add(member, ["Deals/b.pdf"], 1_001);
  expect([a, b, other]).not.toContain(larger);
  const many = Array.from({ length: 997 }, (_, n) => `${n}.pdf`);
  const full = await member.call("uploads.add", { files: many.map((path) => ({ path, sizeBytes: 1 })) });
  expect(code(full)).toBe("409 conflict");
  const twice = await Promise.all([add(member, many.slice(1)), add(member, many.slice(1))]);
  expect(twice[0]).toEqual(twice[1]);
  expect((await member.call("uploads.clear")).status).toBe(204);
  expect((await member.call("uploads.list")).body.data).toEqual([]);
  expect(await contractsOf(workspace)).toHaveLength(1);
});

test("a file whose contract was deleted becomes a contract again when it is chosen again", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const [first] = await add(member, ["Deals/a.pdf"]);
  const bytes = await pdfOf([["A"]]);
  const { contract } = await send(member, first!, bytes);
  expect((await member.call("contracts.remove", { id: contract.id })).status).toBe(204);
  const [second] = await add(member, ["Deals/a.pdf"]);
  expect(await send(member, second!, bytes)).toMatchObject({
    state: "CREATED",
    contract: { title: "By its file" },
  });
  expect(await add(member, ["Deals/a.pdf"])).toEqual([second]);
  expect(await contractsOf(workspace)).toHaveLength(1);
});

test("an upload list can be seen and changed only by its member, and its entries are deleted after 30 days", async ({
  workspace,
}) => {
  const member = await signedIn(workspace, "member");
  const another = await signedIn(workspace, "admin");
  const [id] = await add(member, ["secret.pdf"]);
  expect((await another.call("uploads.list")).body.data).toEqual([]);
  expect((await another.call("uploads.summary")).body.total).toBe(0);
  await another.call("uploads.skip", { ids: [id!] });
  await another.call("uploads.clear");
  const document = inJson(pdf("secret.pdf", await pdfOf([["Secret"]])));
  for (const reply of [
    await another.call("uploads.send", { id: id!, title: "Theirs", document }),
    await another.call("uploads.createDuplicate", { id: id!, title: "Theirs" }),
  ]) {
    expect(code(reply)).toBe("404 not_found");
  }
  const broken = inJson(pdf("secret.pdf", Buffer.from("%PDF-1.7 and no more")));
  const refused = await member.call("uploads.send", { id: id!, title: "Broken", document: broken });
  expect(code(refused)).toBe("422 validation_error");
  const mine = async () => (await member.call("uploads.list")).body.data;
  expect(await mine()).toMatchObject([{ id, path: "secret.pdf", state: "MISSING" }]);
  const { upload } = database().prisma;
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  for (const [days, left] of [
    [29, 1],
    [31, 0],
  ] as const) {
    await upload.updateMany({ where: { id: id! }, data: { createdAt: daysAgo(days) } });
    await forgetOldUploads();
    expect(await mine()).toHaveLength(left);
  }
  expect(await contractsOf(workspace)).toEqual([]);
});
