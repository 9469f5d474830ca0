/** The document in the browser's own PDF viewer, which only the full browser has. */
import { wholeBrowser } from "../browser.ts";
import { linkOf, sent } from "../signing.ts";
import { expect, test } from "./fixtures.ts";

test.use(wholeBrowser);

test("the document opens in the browser's PDF viewer in a new tab, and its URL on its own downloads it", async ({
  page,
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann Ames" }]);
  await page.goto(await linkOf(workspace, envelope));
  const answered = page.waitForResponse(/\/api\/sign\/document$/);
  await page.getByRole("button", { name: "More" }).click();
  const opened = page.context().waitForEvent("page");
  await page.getByRole("button", { name: "Read or print it" }).click();
  const tab = await opened;
  // Only the frame of the browser's viewer is visible to the test. A frame that was just created has no address yet.
  const schemes = () => tab.frames().map((frame) => frame.url().split(":", 1)[0]);
  await expect.poll(schemes, { timeout: 20_000 }).toEqual(["blob", "chrome-extension", "blob"]);
  const { url } = await (await answered).json();
  const saved = page.waitForEvent("download");
  await page.evaluate((address) => window.location.assign(address), url);
  expect((await saved).suggestedFilename()).toBe("agreement.pdf");
});
