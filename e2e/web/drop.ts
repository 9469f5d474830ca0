/** Files dropped on a page: a browser lets nobody drag one in from outside, so its events are made. */
import type { Page } from "@playwright/test";

/** Holds a file over the page, as somebody does who is about to drop it. Answers how to let go of it. */
export async function dragIn(page: Page, name: string, bytes: Buffer): Promise<() => Promise<void>> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const content = Uint8Array.from(atob(text!), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName!));
      return transfer;
    },
    [name, bytes.toString("base64")],
  );
  await page.dispatchEvent("main", "dragenter", { dataTransfer });
  return () => page.dispatchEvent("main", "drop", { dataTransfer });
}
