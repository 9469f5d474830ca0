/** What a PDF says of its dates and parties; runs in the child process alone. */
import { type Findings, readTerms } from "#lib/documents/terms/terms.ts";
import { readText } from "#lib/documents/text/text.ts";

export async function readTermsOfPdf({ path }: { path: string }): Promise<Findings> {
  return readTerms(await readText({ path }));
}
