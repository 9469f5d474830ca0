/** Whole journeys from the first page to the last, as users do them: by what is visible, with mouse and keyboard. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { openPostgres } from "#prisma/embedded/postgres.ts";
import { migrate } from "#prisma/migrate.ts";
import { inJson } from "../documents.ts";
import { openBrowser } from "../members.ts";
import { mailsTo } from "../outbox.ts";
import { pdfOf } from "../pdf.ts";
import { startReceiver } from "../receiver.ts";
import { expectSealed } from "../sealed.ts";
import { freePort, startServer } from "../server.ts";
import { dragIn } from "./drop.ts";
import { hands, expect as soon, test } from "./fixtures.ts";

// On a busy machine each of many steps may be slow, which is not an error.
test.describe.configure({ timeout: 180_000 });
const expect = soon.configure({ timeout: 30_000 });

/** Drags a field from the palette to a place on the first page, given in percent of the page. */
async function placeField(page: Page, type: string, [xPct, yPct]: [number, number]) {
  const { x, y, width, height } = (await page.getByRole("region", { name: "Page 1 of 1" }).boundingBox())!;
  await page
    .getByRole("region", { name: "Fields to place" })
    .getByRole("button", { name: type, exact: true })
    .hover();
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 20, { steps: 3 });
  await page.mouse.move(x + (width * xPct) / 100, y + (height * yPct) / 100, { steps: 3 });
  await page.mouse.up();
}

/** Returns the signing link from the mail that asks someone to sign. */
async function linkTo(address: string, dataDir?: string): Promise<string> {
  const [mail] = await mailsTo(address, 1, dataDir);
  return /https?:\S+\/sign\/[\w-]+/.exec(mail?.text ?? "")![0];
}

/** Does a signer's whole part, up to the last click. */
async function agreeAndFill(page: Page, link: string) {
  await page.goto(link);
  await page.getByRole("checkbox", { name: "I agree" }).check();
  await page.getByRole("button", { name: "Agree and continue" }).click();
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await page.getByRole("button", { name: "Adopt and sign" }).click();
  await expect(page.getByRole("button", { name: "Finish" })).toBeVisible();
}

test("a new user sends a dropped PDF, both signers sign in order, and the sealed PDF verifies", async ({
  page,
  another,
}) => {
  const id = crypto.randomUUID();
  const [sender, ann, ben] = ["ada", "ann", "ben"].map((name) => `${name}-${id}@people.example`) as [
    string,
    string,
    string,
  ];
  await page.goto("/");
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Create a workspace" }).click();
  await page.getByLabel("Your name").fill("Ada Ostrom");
  await page.getByLabel("E-mail address").fill(sender);
  await page.getByLabel("Password", { exact: true }).fill("long enough for this");
  await page.getByLabel("Workspace").fill("Ostrom & Daughters");
  await page.getByRole("button", { name: "Create the workspace" }).click();
  await expect(page.getByText("Your workspace is ready")).toBeVisible();
  await hands(page);

  await page.getByRole("link", { name: "Contracts", exact: true }).first().click();
  await expect(page.getByText("No contracts yet")).toBeVisible();
  const agreement = await pdfOf([["Supply agreement", "The goods come by sea."]]);
  const drop = await dragIn(page, [["supply_agreement.pdf", agreement]], "Drop it to create a contract");
  await drop();
  await expect(page.getByLabel("Title")).toHaveValue("Supply agreement");
  await page.getByRole("button", { name: "Counterparty" }).click();
  await page.getByRole("combobox", { name: /counterparty/i }).fill("Northwind Traders");
  await page.getByRole("option", { name: /Northwind Traders/ }).click();
  await page.getByLabel("Type").selectOption("OTHER");
  await page.getByRole("button", { name: "Create the contract" }).click();
  await expect(page).toHaveURL(/\/contracts\/ctr_/);
  await expect(page.getByRole("list", { name: "Versions" })).toContainText("1 page");

  await page.getByRole("link", { name: "Send for signature" }).click();
  await page.getByRole("button", { name: "Next: signers" }).click();
  for (const [index, [name, email]] of [
    ["Ann Ames", ann],
    ["Ben Brook", ben],
  ].entries()) {
    await page.getByRole("button", { name: "Someone else" }).click();
    await page.getByRole("textbox", { name: "Name" }).nth(index).fill(name!);
    await page.getByRole("textbox", { name: "E-mail address" }).nth(index).fill(email!);
  }
  await page.getByRole("button", { name: "Next: fields" }).click();
  await expect(page.getByRole("region", { name: "Page 1 of 1" }).locator("canvas")).toBeVisible();
  await placeField(page, "Signature", [30, 40]);
  await page.getByRole("region", { name: "Fields to place" }).getByLabel("For").selectOption("Ben Brook");
  await placeField(page, "Signature", [70, 40]);
  await expect(page.getByRole("button", { name: /^Signature for Ben Brook, page 1/ })).toBeVisible();
  await page.getByRole("button", { name: "Next: review" }).click();
  await expect(page.getByText("Nothing is missing: it can be sent.")).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: "Send for signature" }).click();
  await page.getByRole("button", { name: "Send now" }).click();
  await expect(page.getByText("0 of 2 signed")).toBeVisible();

  const first = await another();
  await agreeAndFill(first, await linkTo(ann));
  await expect(mailsTo(ben, 0)).resolves.toEqual([]);
  await first.getByRole("button", { name: "Finish" }).click();
  await expect(first.getByText("Ben Brook still has to sign.")).toBeVisible();
  await expect(page.getByText("1 of 2 signed")).toBeVisible();

  const second = await another();
  await agreeAndFill(second, await linkTo(ben));
  await second.getByRole("button", { name: "Finish" }).click();
  await expect(second.getByRole("heading", { name: "Signed and sealed" })).toBeVisible();
  await expect(page.getByText("Everyone has signed, and it is sealed")).toBeVisible();

  const downloading = second.waitForEvent("download");
  await second.getByRole("button", { name: "Download the signed PDF" }).click();
  const path = await (await downloading).path();
  await expectSealed(path, await readFile(path));
  await second.getByRole("link", { name: "check that it is unchanged" }).click();
  await second.locator("input[type=file]").setInputFiles(path);
  await expect(second.getByRole("heading", { name: /Valid: signed/ })).toBeVisible();
});

/** A server with its own database and data folder, which can be killed and restarted at the same address. */
async function installation() {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-journeys-"));
  const postgres = await openPostgres(dataDir);
  await migrate(postgres.url);
  const port = String(await freePort());
  const settings = { WEBHOOK_ALLOW_PRIVATE: "1", WEBHOOK_RETRY_SCHEDULE: "0.3,0.6,0.6" };
  const environment = { ...settings, DATABASE_URL: postgres.url, DATA_DIR: dataDir, PORT: port };
  let server = await startServer(environment);
  return {
    url: server.url,
    subjectsTo: async (address: string) =>
      (await mailsTo(address, 0, dataDir)).map(({ subject }) => subject).sort(),
    linkTo: (address: string) => linkTo(address, dataDir),
    kill: () => server.stop("SIGKILL"),
    async startAgain() {
      server = await startServer(environment);
    },
    async close() {
      await server.stop();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Signs up at the server, and sends a contract to these addresses to sign, in their order. */
async function sendTo(addresses: string[], url: string) {
  const sender = openBrowser(url);
  const [email, password] = [`sender-${crypto.randomUUID()}@people.example`, "long enough for this"];
  await sender.call("account.signUp", { name: "Ada Ostrom", email, password, workspaceName: "Ostrom" });
  await sender.signIn(email, password);
  const bytes = await pdfOf([["Supply agreement", "The goods come by sea."]]);
  const document = inJson({ fileName: "supply.pdf", contentType: "application/pdf", bytes });
  const ownerId = (await sender.call("members.list")).body.data[0].userId;
  const terms = { title: "Supply agreement", type: "MSA", ourRole: "VENDOR", ownerId } as const;
  const { contract } = (await sender.call("contracts.create", { ...terms, document })).body;
  const draft = (await sender.call("signatures.createDraft", { contractId: contract.id })).body.envelope;
  const envelopeId: string = draft.id;
  const signers = addresses.map((address, orderIndex) => {
    return { name: address.split("-")[0]!, email: address, orderIndex };
  });
  const { envelope } = (await sender.call("signatures.updateDraft", { envelopeId, signers })).body;
  const fields = envelope.signers.map(({ id: signerId }: { id: string }, index: number) => ({
    ...{ signerId, type: "SIGNATURE", pageIndex: 0 },
    ...{ xPct: 10 + 40 * index, yPct: 40, wPct: 30, hPct: 6 },
  }));
  await sender.call("signatures.updateDraft", { envelopeId, fields });
  expect((await sender.call("signatures.send", { envelopeId })).status).toBe(200);
  return { sender, email, envelopeId, contractId: contract.id as string };
}

/** Returns how often each name occurs. */
function counts(names: string[]): Record<string, number> {
  const groups = Object.groupBy(names, (name) => name);
  return Object.fromEntries(Object.entries(groups).map(([name, all]) => [name, all!.length]));
}

test("a server killed after the last signature seals once on restart, without duplicate events or e-mails", async ({
  browser,
}) => {
  const product = await installation();
  const receiver = await startReceiver();
  try {
    const [ann, ben] = ["ann", "ben"].map((name) => `${name}-${crypto.randomUUID()}@people.example`) as [
      string,
      string,
    ];
    const { sender, email, envelopeId, contractId } = await sendTo([ann, ben], product.url);
    expect((await sender.call("webhookEndpoints.create", { url: receiver.url })).status).toBe(201);
    const page = await browser.newPage();
    await agreeAndFill(page, await product.linkTo(ann));
    await page.getByRole("button", { name: "Finish" }).click();
    await expect(page.getByText("ben still has to sign.")).toBeVisible();
    await agreeAndFill(page, await product.linkTo(ben));
    const taken = page.waitForResponse(/\/api\/sign\/finish$/);
    await page.getByRole("button", { name: "Finish" }).click();
    const answer = await taken;
    expect(answer.status()).toBe(200);
    await answer.finished();
    await product.kill();
    await expect(page.getByText("The document is being sealed")).toBeVisible();
    await product.startAgain();
    await expect(page.getByRole("heading", { name: "Signed and sealed" })).toBeVisible();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the signed PDF" }).click();
    const path = await (await downloading).path();
    await expectSealed(path, await readFile(path));

    const versions = (await sender.call("versions.list", { id: contractId })).body.data;
    expect(versions.map(({ source }: { source: string }) => source)).toEqual(["SIGNED", "UPLOADED"]);
    const history = (await sender.call("signatures.events", { envelopeId, pageSize: 100 })).body.data;
    expect(counts(history.map(({ type }: { type: string }) => type))).toEqual({
      ...{ CREATED: 1, SENT: 1, NOTIFIED: 2, VIEWED: 2, CONSENTED: 2, SIGNED: 2 },
      ...{ SEALED: 1, COMPLETED: 1, DOWNLOADED: 1 },
    });
    const audit = (await sender.call("auditEvents.list", { contractId })).body.data;
    expect(counts(audit.map(({ action }: { action: string }) => action))).toMatchObject({
      ...{ VERSION_GENERATED: 1, SIGNATURE_REQUEST_SIGNED: 2, SIGNATURE_REQUEST_COMPLETED: 1 },
      // Sent for signature, and executed.
      CONTRACT_STATUS_CHANGED: 2,
    });
    // A delivery during which the server was killed may arrive again, as the same event.
    const heard = () =>
      counts([...new Map(receiver.received.map(({ event }) => [event.id, event.type])).values()]);
    await expect.poll(heard).toEqual({
      ...{ "signature_request.viewed": 2, "signature_request.signed": 2, "signature_request.completed": 1 },
      ...{ "version.created": 1, "contract.status_changed": 1 },
    });
    const [asked, done] = ["Please sign Supply agreement", "Signed by everyone: Supply agreement"];
    const mailed = () => Promise.all([ann, ben, email].map(product.subjectsTo));
    await expect.poll(mailed, { timeout: 60_000 }).toEqual([[asked, done], [asked, done], [done]]);
  } finally {
    await receiver.close();
    await product.close();
  }
});
