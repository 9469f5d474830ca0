/** Files dropped on a page: browsers do not let tests drag files in from outside, so the events are dispatched. */
import { expect, type Page } from "@playwright/test";

/**
 * Holds files over the page, like a user about to drop them, until the page shows `cue`: a page that has just loaded
 * does not accept them yet. Returns a function that drops them and tells whether the page handled the drop: otherwise a
 * browser would open the first file in place of the page.
 */
export async function dragIn(
  page: Page,
  files: [name: string, bytes: Buffer][],
  cue?: string,
): Promise<() => Promise<"handled" | "left to the browser">> {
  const dataTransfer = await page.evaluateHandle(
    (given) => {
      const transfer = new DataTransfer();
      for (const [name, text] of given) {
        const content = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        transfer.items.add(new File([content], name));
      }
      return transfer;
    },
    files.map(([name, bytes]) => [name, bytes.toString("base64")] as const),
  );
  const enter = () => page.dispatchEvent("main", "dragenter", { dataTransfer });
  if (!cue) await enter();
  else
    await expect(async () => {
      await enter();
      await expect(page.getByText(cue)).toBeVisible({ timeout: 500 });
    }).toPass();
  return () =>
    page.evaluate((transfer) => {
      const main = document.querySelector("main")!;
      const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
      const over = new DragEvent("dragover", init);
      const drop = new DragEvent("drop", init);
      main.dispatchEvent(over);
      main.dispatchEvent(drop);
      return over.defaultPrevented && drop.defaultPrevented ? "handled" : "left to the browser";
    }, dataTransfer);
}
