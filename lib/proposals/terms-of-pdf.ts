/** What a PDF says of its dates and parties; runs in the child process alone. */
import { type Findings, readTerms } from "#lib/documents/terms/terms.ts";
import { readText, textOfPages } from "#lib/documents/text/text.ts";

export async function readTermsOfPdf({ path }: { path: string }): Promise<Findings> {
  return readTerms(await readText({ path }));
}

/** The same of bytes that came without a file. */
export async function readTermsOfBytes({ bytes }: { bytes: Uint8Array }): Promise<Findings> {
  return readTerms({ pages: await textOfPages(bytes) });
}
