/** The document and the signed PDF, out of the page. Their addresses are short-lived: each click asks for one. */
import type { SignerOutput } from "#lib/api/sign-client.ts";

type Address = Promise<SignerOutput<"document">>;

/** Shows a PDF in a tab of its own, where the browser reads, prints and saves it. */
export async function showFile(address: Address): Promise<void> {
  // Before the answer is there: afterwards browsers take it for an unwanted window.
  const tab = window.open("about:blank", "_blank");
  try {
    const { url } = await address;
    if (tab) tab.location.replace(new URL(url, window.location.href));
    else window.location.assign(url);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** Saves a PDF. */
export async function keepFile(address: Address): Promise<void> {
  const { url, fileName } = await address;
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
}
