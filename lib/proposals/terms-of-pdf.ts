/** Reads dates and parties from a PDF. Runs only in the child process. */
import { type Findings, readTerms } from "#lib/documents/terms/terms.ts";
import { readText, textOfPages } from "#lib/documents/text/text.ts";

export async function readTermsOfPdf({ path }: { path: string }): Promise<Findings> {
  return readTerms(await readText({ path }));
}

/** The same for a PDF in memory. */
export async function readTermsOfBytes({ bytes }: { bytes: Uint8Array }): Promise<Findings> {
  return readTerms({ pages: await textOfPages(bytes) });
}
