/** Labels and texts for documents. */
import { counted } from "#components/words.ts";

export const sourceWords: Record<string, string> = {
  UPLOADED: "Uploaded",
  TEMPLATE: "From a template",
  CONVERTED: "Converted",
  SIGNED: "Signed",
  IMPORTED: "Imported",
};

/** Returns how many documents are ahead in the queue for PDFs, as a sentence, or null if there are none. */
export function placeText(documentsAhead: number | null | undefined): string | null {
  if (!documentsAhead) return null;
  return `${counted(documentsAhead, "document")} ${documentsAhead === 1 ? "is" : "are"} ahead of yours.`;
}

const sizes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** Formats a size, such as `3.4 MB`, in powers of 1000, like file managers. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit, size] = bytes < 1_000_000 ? ["kB", 1000] : (["MB", 1_000_000] as const);
  return `${sizes.format(bytes / Number(size))} ${unit}`;
}

/** Derives a contract's title from a file name, with at most 200 characters. */
export function titleFrom(fileName: string): string {
  const bare = fileName
    .replace(/\.(pdf|docx)$/i, "")
    .replace(/[_]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return bare.charAt(0).toUpperCase() + bare.slice(1, 200);
}
