/** Opens or saves the document and the signed PDF. Each click requests an address, which is short-lived. */
import { download } from "#components/ui/download.ts";
import { ApiProblem } from "#lib/doors/client.ts";
import type { SignerOutput } from "#lib/doors/sign-client.ts";

type Address = Promise<SignerOutput<"document">>;

/**
 * Shows a PDF in a new tab, where the browser can print and save it. The tab gets the bytes, because the
 * server's response is sandboxed and Safari shows no PDF in a sandbox.
 */
export async function showFile(address: Address): Promise<void> {
  // Opened before the response arrives: after that, browsers would block it as a pop-up.
  const tab = window.open("about:blank", "_blank");
  if (!tab) return saveFile(address);
  try {
    const { url } = await address;
    const bytes = await bytesAt(url);
    // The URL is not revoked while this page is open, so that the tab can be reloaded.
    tab.location.replace(URL.createObjectURL(new Blob([bytes], { type: "application/pdf" })));
  } catch (error) {
    tab.close();
    throw error;
  }
}

async function bytesAt(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url).catch(() => null);
  if (answer?.ok) return answer.arrayBuffer();
  throw new ApiProblem(
    "unreachable",
    "The document could not be loaded. Check the connection, then try again.",
  );
}

/** Saves a PDF. */
export async function saveFile(address: Address): Promise<void> {
  const { url, fileName } = await address;
  download(url, fileName);
}
