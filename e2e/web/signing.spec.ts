/** Signing in a browser, by people without an account. */

import type { Page } from "@playwright/test";
import { degrees, PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { asMember, linkOf, mailsTo, memberOf, pdf, requestOf, sent, signerAt } from "../signing.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

const phone = { width: 375, height: 740 };

/** Decodes a mail's "quoted-printable" text. */
const unquoted = (mail: string) =>
  Buffer.from(
    mail
      .replaceAll(/=\r?\n/g, "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  ).toString();

async function agree(page: Page) {
  await page.getByRole("checkbox", { name: "I agree" }).check();
  await page.getByRole("button", { name: "Agree and continue" }).click();
  await expect(page.getByRole("group", { name: "View" })).toBeVisible();
}

const adopt = (page: Page) => page.getByRole("button", { name: "Adopt and sign" }).click();
const title = (page: Page) => page.getByRole("textbox", { name: /^Title of the post/ });

/** Does everything up to the last click. */
async function fill(page: Page) {
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await adopt(page);
  await title(page).fill("Head of purchasing");
  await expect(page.getByRole("button", { name: "Finish" })).toBeVisible();
}

test("a signer who is early sees who signs first, cannot sign, and proceeds automatically at their turn", async ({
  page,
  workspace,
}) => {
  const people = [{ name: "Ann Ames" }, { name: "Ben Brook", orderIndex: 1 }];
  const envelope = await sent(workspace, people);
  await page.goto(await linkOf(workspace, envelope, 1));
  await expect(page.getByRole("heading", { name: "It is not your turn yet" })).toBeVisible();
  await expect(page.getByText("Ann Ames signs first.")).toBeVisible();
  await expectAccessible(page);
  const signerId = envelope.signers[1].id;
  const status = await page.evaluate(async (id) => {
    const headers = { "content-type": "application/json", "x-signer-id": id };
    return (await fetch("/api/sign/finish", { method: "POST", headers, body: "{}" })).status;
  }, signerId);
  expect(status).toBe(409);
  await (await signerAt(workspace, envelope, 0)).sign();
  await expect(page.getByRole("heading", { name: "asks you to sign" })).toBeVisible();
});

test("a reload keeps entered values, and signing from two tabs with a double click signs once", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }, { name: "Ben Brook", orderIndex: 1 }]);
  const path = await linkOf(workspace, envelope);
  await page.setViewportSize(phone);
  await page.goto(path);
  await agree(page);
  await fill(page);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(title(page)).toHaveValue("Head of purchasing");
  await expect(
    page.getByRole("button", { name: "Signature, page 1, signed: change or remove" }),
  ).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(path);
  await expect(other.getByRole("button", { name: "Finish" })).toBeVisible();
  await Promise.all([
    page.getByRole("button", { name: "Finish" }).dblclick(),
    other.getByRole("button", { name: "Finish" }).click(),
  ]);
  for (const tab of [page, other])
    await expect(tab.getByRole("heading", { name: "You have signed" })).toBeVisible();
  await expect(page.getByText("Ben Brook still has to sign.")).toBeVisible();
  const { body } = await workspace.api(`GET /signatures/${envelope.id}/events`);
  expect(body.data.filter(({ type }: { type: string }) => type === "SIGNED")).toHaveLength(1);
});

test("an open signing page ends by itself when another signer declines or the sender voids the request", async ({
  page,
  workspace,
}) => {
  // Two people of the same name.
  const address = () => `${crypto.randomUUID()}@signers.example`;
  const people = [1, 2].map(() => ({ name: "Ann Ames", email: address() }));
  const declined = await sent(workspace, people);
  const other = await page.context().newPage();
  await page.goto(await linkOf(workspace, declined, 0));
  await other.goto(await linkOf(workspace, declined, 1));
  await agree(other);
  await page.getByRole("button", { name: "More" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Decline to sign" }).click();
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  await expect(page.getByText("must not be empty")).toBeVisible();
  await page.getByLabel("Reason").fill("The price is not what we agreed.");
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  await expect(page.getByRole("heading", { name: "You declined to sign" })).toBeVisible();
  await expect(other.getByRole("heading", { name: "This was declined" })).toBeVisible({ timeout: 60_000 });
  await expect(other.getByText("The price is not what we agreed.")).toBeVisible();
  const voided = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.goto(await linkOf(workspace, voided));
  await agree(page);
  await asMember(memberOf(workspace), "void", { envelopeId: voided.id, reason: "Sent to the wrong person" });
  await expect(page.getByRole("heading", { name: "This request was voided" })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByText("Sent to the wrong person")).toBeVisible();
});

test("a delegate can sign, the old link says so, and an extended deadline reopens signing", async ({
  page,
  workspace,
}) => {
  const hourAgo = new Date(Date.now() - 3_600_000);
  const ctx = memberOf(workspace, { now: hourAgo });
  const { id, signers } = await sent(workspace, [{ name: "Ann Ames" }]);
  const old = await linkOf(workspace, { id, signers });
  await page.goto(old);
  await agree(page);
  // The mail uses the same names for the buttons as the page.
  const named = async () => {
    const text = unquoted((await mailsTo(signers[0].email)).at(-1) ?? "");
    return /choose “([^”]+)”, then “([^”]+)”/.exec(text)?.slice(1) ?? [];
  };
  await expect.poll(named, { timeout: 20_000 }).toHaveLength(2);
  for (const name of await named()) await page.getByRole("button", { name }).click();
  await page.getByLabel("Name").fill("Cleo Clark");
  await page.getByLabel("E-mail address").fill("cleo");
  await page.getByRole("button", { name: "Delegate" }).click();
  await expect(page.getByText(/must be an e-mail/)).toBeVisible();
  await page.getByLabel("E-mail address").fill(`${crypto.randomUUID()}@signers.example`);
  await page.getByRole("button", { name: "Delegate" }).click();
  await expect(page.getByRole("heading", { name: "You delegated this" })).toBeVisible();
  await page.goto(old);
  await expect(page.getByText("Cleo Clark signs in your place")).toBeVisible();
  // Moves the deadline, set an hour ago, to half an hour ago.
  await asMember(ctx, "extend", { envelopeId: id, deadline: new Date(Date.now() - 1_800_000).toISOString() });
  const { envelope } = await asMember(memberOf(workspace), "progress", { envelopeId: id });
  const cleo = envelope.signers.findIndex(({ name }: { name: string }) => name === "Cleo Clark");
  await page.goto(await linkOf(workspace, envelope, cleo));
  await expect(page.getByRole("heading", { name: "The deadline has passed" })).toBeVisible();
  await expectAccessible(page);
  const later = new Date(Date.now() + 86_400_000).toISOString();
  await asMember(memberOf(workspace), "extend", { envelopeId: id, deadline: later });
  await agree(page);
  await fill(page);
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page.getByRole("heading", { name: "Signed and sealed" })).toBeVisible({ timeout: 30_000 });
});

test("fields appear where they were placed on a rotated page and on one with a crop box", async ({
  page,
  workspace,
}) => {
  const document = await PDFDocument.create();
  document.addPage([595, 842]).setRotation(degrees(90));
  document.addPage([842, 595]).setCropBox(100, 100, 400, 300);
  const place = { xPct: 50, yPct: 80, wPct: 30, hPct: 10 };
  const envelope = await requestOf(workspace, await document.save(), 2, [
    { ...place, pageIndex: 0 },
    { ...place, pageIndex: 1 },
  ]);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  for (const [number, ratio] of [
    [1, 842 / 595],
    [2, 400 / 300],
  ] as const) {
    const sheet = page.getByRole("region", { name: `Page ${number} of 2` });
    await sheet.scrollIntoViewIfNeeded();
    await expect(sheet.locator("canvas")).toBeVisible();
    const shown = (await sheet.boundingBox())!;
    expect(shown.width / shown.height).toBeCloseTo(ratio, 1);
    const field = (await page.getByRole("button", { name: `Signature, page ${number}` }).boundingBox())!;
    expect((field.x - shown.x) / shown.width).toBeCloseTo(0.5, 1);
    expect((field.y - shown.y) / shown.height).toBeCloseTo(0.8, 1);
    expect(field.width / shown.width).toBeCloseTo(0.3, 1);
  }
});

test("fields of ten types can be filled in on the page, and an invalid value is reported at its field", async ({
  page,
  workspace,
}) => {
  const types = ["SIGNATURE", "INITIALS", "NAME", "EMAIL", "TITLE", "COMPANY", "NUMBER", "DATE", "CHECKBOX"];
  const at = (index: number) => ({ pageIndex: 0, xPct: 10, yPct: 10 + index * 7, wPct: 40, hPct: 5 });
  const places = types.map((type, index) => ({ type, ...at(index) }));
  const choice = { type: "DROPDOWN", label: "Colour", options: ["Red", "Blue"], ...at(types.length) };
  const envelope = await requestOf(workspace, await pdf(), 2, [...places, choice]);
  await page.setViewportSize(phone);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await page.getByRole("button", { name: /^Initials, page 1/ }).click();
  await page.getByLabel("Initials", { exact: true }).fill("AA");
  await adopt(page);
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  const box = (name: string) => page.getByRole("textbox", { name: `${name}, page 1` });
  await box("Your job title").fill("Head of purchasing");
  await box("Your company").fill("Ames Ltd");
  await box("Number").fill("1,234.50");
  await expect(page.getByText("must be a number in digits, such as 1234.50")).toBeVisible();
  // An invalid value is not saved, and "Finish later" names it.
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: /^Finish later/ }).click();
  await expect(page.getByRole("dialog").getByText(/^Not saved yet: Number must be a number/)).toBeVisible();
  await page.keyboard.press("Escape");
  await box("Number").fill("12.5");
  await page.getByLabel("Date, page 1").fill("0026-12-31");
  await expect(page.getByText("must have a year of four digits, 1900 or later")).toBeVisible();
  await page.getByLabel("Date, page 1").fill("2026-12-31");
  await page.getByRole("checkbox", { name: "Checkbox, page 1" }).check();
  await page.getByRole("combobox", { name: "Colour, page 1" }).selectOption("Blue");
  await expect(page.getByText(/must be a number|must have a year/)).toHaveCount(0);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Finish" }).click();
  await expect(page.getByRole("heading", { name: /^(You have signed|Signed and sealed)$/ })).toBeVisible();
});

test("signing 80 pages on a phone takes at most 12 taps, scrolls to each field and draws under 20 pages", async ({
  page,
  workspace,
}) => {
  const place = { xPct: 55, yPct: 85, wPct: 35, hPct: 6 };
  const pages = [1, 20, 40, 60, 79].map((pageIndex) => ({ ...place, pageIndex }));
  const tick = { ...place, type: "CHECKBOX", pageIndex: 30 };
  const envelope = await requestOf(workspace, await pdf(80), 80, [...pages, tick]);
  await page.setViewportSize(phone);
  await page.goto(await linkOf(workspace, envelope));
  let taps = 0;
  const tap = async (name: string | RegExp, role: "button" | "checkbox" = "button") => {
    await page.getByRole(role, { name }).click();
    taps += 1;
  };
  await tap("I agree", "checkbox");
  await tap("Agree and continue");
  await expect(page.getByRole("button", { name: /^Signature, page 2,/ })).toBeAttached();
  await tap("Start");
  await tap(/^Signature, page 2,/);
  await tap("Adopt and sign");
  for (const number of [21, 31, 41, 61, 80]) {
    const role = number === 31 ? "checkbox" : "button";
    const name = number === 31 ? "Checkbox, page 31" : `Signature, page ${number},`;
    const field = page.getByRole(role, { name });
    await expect(field).toBeInViewport();
    // After a box is ticked, the next field scrolls into view but the focus stays: the box can be unticked again.
    if (number !== 31 && number !== 41) await expect(field).toBeFocused();
    await tap(name, role);
  }
  await expect(page.getByRole("region", { name: "Page 80 of 80" }).locator("canvas")).toBeVisible();
  expect(await page.locator("canvas").count()).toBeLessThan(20);
  await tap("Finish");
  await expect(page.getByRole("heading", { name: /^(You have signed|Signed and sealed)$/ })).toBeVisible();
  expect(taps).toBeLessThanOrEqual(12);
});

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp) {
  const named = () =>
    page.evaluate(
      () =>
        document.activeElement?.getAttribute("aria-label") ||
        (document.activeElement as HTMLInputElement)?.labels?.[0]?.textContent ||
        document.activeElement?.textContent ||
        "",
    );
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press("Tab");
    const is = await named();
    if (typeof name === "string" ? is.trim().startsWith(name) : name.test(is)) return;
  }
  throw new Error(`The keyboard does not reach ${name}.`);
}

test("signing works by keyboard alone, with accessible names and no axe findings", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }, { name: "Ben Brook", orderIndex: 1 }]);
  await page.goto(await linkOf(workspace, envelope));
  await expect(page.getByRole("region", { name: "Page 1 of 2" })).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, "I agree");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Signature, page 1/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Sign Master services agreement" })).toBeFocused();
  await expectAccessible(page);
  await tabTo(page, "Form");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?view=form$/);
  await expectAccessible(page);
  await tabTo(page, "Signature, page 1");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
  await tabTo(page, "Your name");
  await page.keyboard.type("Ann Ames");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Signature, page 1: change or remove" })).toBeFocused();
  await tabTo(page, "Title of the post");
  await page.keyboard.type("Head of purchasing");
  await tabTo(page, "Checkbox");
  await page.keyboard.press("Space");
  await tabTo(page, "Finish");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "You have signed" })).toBeFocused();
  await expectAccessible(page);
});

test("a signature can be drawn or uploaded, and an upload is converted to a PNG of less than 256 KiB", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.setViewportSize(phone);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await page.getByRole("button", { name: /^Signature, page 1/ }).click();
  await page.getByRole("button", { name: "Draw" }).click();
  await adopt(page);
  await expect(page.getByText("Draw your signature first.")).toBeVisible();
  const pad = (await page.getByRole("img", { name: /^Draw your signature/ }).boundingBox())!;
  await page.mouse.move(pad.x + 40, pad.y + 60);
  await page.mouse.down();
  await page.mouse.move(pad.x + 160, pad.y + 110, { steps: 8 });
  await page.mouse.up();
  await adopt(page);
  const signed = page.getByRole("button", { name: "Signature, page 1, signed: change or remove" });
  const image = page.locator("img[data-picture]");
  await expect(signed).toBeVisible();
  await expect(image).toBeVisible();
  await signed.click();
  await expect(page.getByRole("dialog", { name: "Change your signature" }).locator("img")).toBeVisible();
  const adopted = page.waitForRequest(/adoptSignature$/);
  await adopt(page);
  expect((await adopted).postDataJSON()).toMatchObject({ kind: "drawn" });
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(image).toBeVisible();
  const shown = await image.getAttribute("src");
  await page.reload();
  await expect(image).toHaveAttribute("src", shown!);
  await signed.click();
  await expect(page.getByRole("button", { name: "Draw", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await adopt(page);
  await expect(page.getByRole("dialog")).toBeHidden();
  await signed.click();
  await page.getByRole("button", { name: "Upload" }).click();
  const jpeg = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [3000, 1500];
    const paint = canvas.getContext("2d")!;
    paint.fillStyle = "white";
    paint.fillRect(0, 0, 3000, 1500);
    paint.fillStyle = "navy";
    paint.fillRect(300, 600, 2000, 90);
    return canvas.toDataURL("image/jpeg").split(",")[1]!;
  });
  const file = { name: "signature.jpg", mimeType: "image/jpeg", buffer: Buffer.from(jpeg, "base64") };
  // Reading a large photo takes a while; the user need not wait for it.
  await page.evaluate(() => {
    const read = window.createImageBitmap;
    window.createImageBitmap = async (image: ImageBitmapSource) => {
      await new Promise((readOn) => window.addEventListener("read-on", readOn, { once: true }));
      return read(image);
    };
  });
  await page.getByLabel("Image of your signature").setInputFiles(file);
  const asked = page.waitForRequest(/adoptSignature$/);
  await adopt(page);
  await page.evaluate(() => window.dispatchEvent(new Event("read-on")));
  const bytes = Buffer.from((await asked).postDataJSON().image, "base64");
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect(bytes.length).toBeLessThan(256 * 1024);
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("an e-mailed code is required before the document is shown, and an invalid link says so", async ({
  page,
  workspace,
}) => {
  const email = `${crypto.randomUUID()}@signers.example`;
  const envelope = await sent(workspace, [{ name: "Ann Ames", email, codeRequired: true }]);
  const path = await linkOf(workspace, envelope);
  await page.goto(path);
  await page.getByRole("button", { name: "Send the code" }).click();
  await page.getByLabel("6-digit code").fill("000000");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This code is wrong.")).toBeVisible();
  await expect(page.getByText("4 more attempts.")).toBeVisible();
  for (const left of ["3 more attempts.", "2 more attempts.", "1 more attempt."]) {
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText(left)).toBeVisible();
  }
  const code = async () => /Your code is (\d{6})/.exec((await mailsTo(email)).at(-1) ?? "")?.[1] ?? "";
  await expect.poll(code, { timeout: 20_000 }).not.toBe("");
  await page.getByLabel("6-digit code").fill(await code());
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "asks you to sign" })).toBeVisible();
  await page.goto(`${path.slice(0, -2)}xx`);
  await expect(page.getByRole("heading", { name: "This link cannot be used" })).toBeVisible();
});
