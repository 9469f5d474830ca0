/** Signers see signatures exactly as they are stamped: while typing, in their fields, and those of others. */
import type { Locator, Page } from "@playwright/test";
import { outlineOf } from "#lib/documents/stamp/outline.ts";
import { linkOf, pdf, requestOf, sent, signerAt } from "../signing.ts";
import { expect, expectAccessible, setOffline, test } from "./fixtures.ts";

const phone = { width: 375, height: 740 };

async function agree(page: Page) {
  await page.getByRole("checkbox", { name: "I agree" }).check();
  await page.getByRole("button", { name: "Agree and continue" }).click();
  await expect(page.getByRole("group", { name: "View" })).toBeVisible();
}

const sign = (page: Page) => page.getByRole("button", { name: /^Signature, page 1/ });
const name = (page: Page) => page.getByRole("textbox", { name: "Your name" });
const pictureIn = (where: Page | Locator) => where.locator("svg[data-picture] path");
const typed = (text: string) => outlineOf({ typed: text }).path;

/** All of a picture's ink lies within its field. */
async function expectWithin(picture: Locator, field: Locator) {
  const [ink, room] = [(await picture.boundingBox())!, (await field.boundingBox())!];
  expect(ink.width).toBeGreaterThan(5);
  // A letter may extend a little over the edge, as on paper.
  const lean = ink.height / 2;
  expect(ink.x).toBeGreaterThanOrEqual(room.x - lean);
  expect(ink.x + ink.width).toBeLessThanOrEqual(room.x + room.width + lean);
  expect(ink.y).toBeGreaterThanOrEqual(room.y - lean);
  expect(ink.y + ink.height).toBeLessThanOrEqual(room.y + room.height + lean);
}

test("the signature preview matches the stamp in any script and stays until the next one arrives", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ελένη Παπαδοπούλου" }]);
  await page.setViewportSize(phone);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await sign(page).click();
  const dialog = page.getByRole("dialog");
  const preview = pictureIn(dialog);
  await expect(preview).toHaveAttribute("d", typed("Ελένη Παπαδοπούλου"));
  const answer = Promise.withResolvers<void>();
  await page.route(/previewSignature$/, async (route) => {
    await answer.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/previewSignature$/);
  await name(page).fill("김민준");
  await asked;
  await expect(preview).toHaveAttribute("d", typed("Ελένη Παπαδοπούλου"));
  answer.resolve();
  await expect(preview).toHaveAttribute("d", typed("김민준"));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Adopt and sign" }).click();
  await expect(dialog).toBeHidden();
  await expect(pictureIn(page)).toHaveAttribute("d", typed("김민준"));
  await expectWithin(pictureIn(page), sign(page));
  await page.getByRole("button", { name: "Form" }).click();
  await expect(pictureIn(page)).toHaveAttribute("d", typed("김민준"));
});

test("a late preview response does not replace the preview of newer input", async ({ page, workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await sign(page).click();
  const preview = pictureIn(page.getByRole("dialog"));
  await expect(preview).toHaveAttribute("d", typed("Ann Ames"));
  const slow = Promise.withResolvers<void>();
  await page.route(/previewSignature$/, async (route) => {
    if (route.request().postDataJSON().text === "Slow") await slow.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(/previewSignature$/);
  await name(page).fill("Slow");
  await asked;
  await name(page).fill("Quick");
  await expect(preview).toHaveAttribute("d", typed("Quick"));
  const late = page.waitForResponse((response) => response.request().postDataJSON()?.text === "Slow");
  slow.resolve();
  await (await late).finished();
  await expect(preview).toHaveAttribute("d", typed("Quick"));
});

test("long names and initials shrink to fit and are never clipped", async ({ page, workspace }) => {
  const at = { pageIndex: 0, xPct: 10, wPct: 20, hPct: 4 };
  const envelope = await requestOf(workspace, await pdf(), 2, [
    { ...at, yPct: 10 },
    { ...at, type: "INITIALS", yPct: 20, wPct: 8 },
  ]);
  await page.setViewportSize(phone);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await sign(page).click();
  const long = "Maximiliana Alexandrina von Hohenlohe-Schillingsfürst-Waldenburg zu Bartenstein";
  await name(page).fill(long);
  await page.getByLabel("Initials", { exact: true }).fill("MAVHSWBXYZ");
  const dialog = page.getByRole("dialog");
  const [written, short] = [pictureIn(dialog).first(), pictureIn(dialog).last()];
  await expect(written).toHaveAttribute("d", typed(long));
  await expect(short).toHaveAttribute("d", typed("MAVHSWBXYZ"));
  for (const picture of [written, short]) await expectWithin(picture, picture.locator("../.."));
  await page.getByRole("button", { name: "Adopt and sign" }).click();
  const initials = page.getByRole("button", { name: /^Initials, page 1/ });
  await initials.click();
  await expect(pictureIn(page)).toHaveCount(2);
  await expectWithin(pictureIn(page).first(), sign(page));
  await expectWithin(pictureIn(page).last(), initials);
});

test("a name with an unsupported character defaults to drawing, and typing it shows why until corrected", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Dana 😀 Fox" }]);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await sign(page).click();
  const way = (label: string) => page.getByRole("button", { name: label, exact: true });
  await expect(way("Draw")).toHaveAttribute("aria-pressed", "true");
  await way("Type").click();
  const why = "😀 cannot be written in a signature. Leave it out, draw your signature or upload an image.";
  await expect(page.getByText(why)).toBeVisible();
  await expect(pictureIn(page), "it would not be this").toHaveCount(0);
  await expectAccessible(page);
  await name(page).fill("Dana Fox");
  await expect(page.getByText(why)).toBeHidden();
  await name(page).fill("Dana 😀");
  await expect(page.getByText(why)).toBeVisible();
  await page.getByRole("button", { name: "Adopt and sign" }).click();
  await expect(page.getByRole("alert").getByText(why)).toBeVisible();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("offline, the signature dialog says that the preview comes later, and shows it on reconnecting", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.goto(await linkOf(workspace, envelope));
  await agree(page);
  await sign(page).click();
  const dialog = page.getByRole("dialog");
  await expect(pictureIn(dialog)).toHaveAttribute("d", typed("Ann Ames"));
  await setOffline(page, true);
  await name(page).fill("Ann B. Ames");
  await expect(dialog.getByText("No connection: your signature is shown once it is back.")).toBeVisible();
  await setOffline(page, false);
  await expect(pictureIn(dialog)).toHaveAttribute("d", typed("Ann B. Ames"), { timeout: 20_000 });
});

test("the next signer sees signed values as stamped, and no values of signers who have not signed", async ({
  page,
  workspace,
}) => {
  const people = [
    { name: "Ann Ames" },
    { name: "Ben Brook", orderIndex: 1 },
    { name: "Cleo Clark", orderIndex: 1 },
  ];
  const envelope = await sent(workspace, people);
  await (await signerAt(workspace, envelope, 0)).sign();
  await (await signerAt(workspace, envelope, 2)).fill();
  await page.setViewportSize(phone);
  await page.goto(await linkOf(workspace, envelope, 1));
  const signature = page.getByRole("img", { name: "Signature of Ann Ames" });
  const words = page.getByRole("img", { name: "Text of Ann Ames: Head of purchasing" });
  // Already visible while they read what they are asked to sign.
  await expect(pictureIn(signature)).toHaveAttribute("d", typed("A. Signer"));
  await expect(page.getByText("Signature of Cleo Clark")).toBeHidden();
  await agree(page);
  await expect(pictureIn(signature)).toHaveAttribute("d", typed("A. Signer"));
  await expect(pictureIn(words)).toBeVisible();
  await expectWithin(pictureIn(signature), signature);
  await expectWithin(pictureIn(words), words);
  await expect(page.getByText("Signature of Cleo Clark")).toBeVisible();
  await expect(page.getByText("Signature of Ann Ames")).toHaveCount(0);
  await expectAccessible(page);
});
