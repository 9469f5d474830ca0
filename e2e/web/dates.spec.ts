/** Dates appear in the format that the reader wants. */
import type { Page } from "@playwright/test";
import { linkOf, sent } from "../signing.ts";
import { expect, signIn, test } from "./fixtures.ts";

test.use({ locale: "de-DE", timezoneId: "Asia/Seoul" });

/** Returns the formats of all dates and times on the page, without duplicates: words become "a", numbers become "0". */
async function shapes(page: Page): Promise<string[]> {
  const texts = await page.locator("time").allTextContents();
  expect(texts.length).toBeGreaterThan(0);
  const shape = (text: string) => text.replaceAll(/\p{L}+\.?/gu, "a").replaceAll(/\d+/g, "0");
  return [...new Set(texts.map(shape))].sort();
}

test("dates follow the browser of a member's first visit until their profile sets another format", async ({
  page,
  workspace,
}) => {
  const deadline = "2031-05-20T20:00:00.000Z";
  const envelope = await sent(workspace, [{ name: "Ana" }], { deadline });
  const member = await signIn(page, workspace);
  await page.goto(`/signatures/${envelope.id}`);
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details).toContainText("21. Mai 2031, 05:00 GMT+9");
  expect(await shapes(page)).toEqual(["0. a 0, 0:0 a+0"]);
  const profile = async () => (await member.call("profile.read", {})).body.profile;
  await expect.poll(profile).toMatchObject({ locale: "de-DE", timeZone: "Asia/Seoul" });

  await page.goto("/settings/profile");
  await page.getByLabel("Date format").selectOption({ label: "British English" });
  await page.getByRole("button", { name: /Asia\/Seoul/ }).click();
  await page.getByPlaceholder("Search time zone").fill("lond");
  await page.getByRole("option", { name: "Europe/London" }).click();
  await expect(page.getByText("Example: 9 Mar 2026, 14:05 GMT")).toBeVisible();
  await page.getByRole("button", { name: "Change the formats" }).click();
  await expect(page.getByText("Dates and times changed")).toBeVisible();
  await page.goto(`/signatures/${envelope.id}`);
  await expect(details).toContainText("20 May 2031, 21:00 BST");
  expect(await shapes(page)).toHaveLength(1);
});

test("a signing deadline ends with the chosen day in the member's own time zone", async ({
  page,
  workspace,
}) => {
  const { id } = await sent(workspace, [{ name: "Ana" }]);
  const member = await signIn(page, workspace);
  await member.call("profile.patch", { locale: "en-GB", timeZone: "America/New_York" });
  await page.goto(`/signatures/${id}`);
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Change the deadline" }).click();
  await page.getByLabel("Last day to sign").fill("2031-03-09");
  await page.getByRole("button", { name: "Save the deadline" }).click();
  await expect(page.getByRole("complementary", { name: "Details" })).toContainText("9 Mar 2031, 23:59");
  const { body } = await member.call("signatures.progress", { envelopeId: id });
  // On this day New York sets its clocks forward.
  expect(body.envelope.deadline).toBe("2031-03-10T03:59:59.000Z");
});

test("a signer without an account sees dates in their browser's locale and time zone", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ana" }], { deadline: "2031-05-20T20:00:00.000Z" });
  await page.goto(await linkOf(workspace, envelope));
  await expect(page.getByText("It can be signed until 21. Mai 2031, 05:00 GMT+9.")).toBeVisible();
});

test("an unknown locale and time zone are refused, each under its own field", async ({ page, workspace }) => {
  const member = await signIn(page, workspace);
  const refused = await member.call("profile.patch", { locale: "no_language", timeZone: "Europe/Nowhere" });
  expect(refused.status).toBe(422);
  const paths = refused.body.error.details.issues.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(["locale", "timeZone"]);
});
