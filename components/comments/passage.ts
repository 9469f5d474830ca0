/** A passage of a version: what was selected in the viewer, and the address that shows it marked. */

export interface Passage {
  page: number;
  quote: string;
}

/** What is selected on a page of the viewer, line by line; null where nothing is. */
export function selectedPassage(): Passage | null {
  const selection = document.getSelection();
  const quote = selection
    ?.toString()
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n")
    .slice(0, 1000)
    .toWellFormed();
  const node = selection?.anchorNode;
  const element = node instanceof Element ? node : node?.parentElement;
  const label = element?.closest("[data-page-number]")?.getAttribute("data-page-number");
  return quote && label ? { page: Number(label), quote } : null;
}

/** Where the passage stands, with its lines marked. */
export function passagePath({
  contractId,
  versionId,
  page,
  quote,
}: {
  contractId: string;
  versionId: string;
  page: number;
  quote: string | null;
}): string {
  const address = new URLSearchParams({ page: `${page}` });
  const lines = (quote ?? "").split("\n").filter((line) => line.length > 2);
  // An address has its limits; the first lines show the place.
  for (const line of lines.slice(0, 8)) address.append("mark", line);
  return `/contracts/${contractId}/versions/${versionId}?${address}`;
}
