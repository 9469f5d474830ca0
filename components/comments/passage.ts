/** Passages of a version: the selection in the viewer, and the address that shows a passage highlighted. */

export interface Passage {
  page: number;
  quote: string;
}

/**
 * Returns the text selected on a page of the viewer, with its line breaks, or null if nothing is selected.
 */
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

/** Returns the address of a passage, with its lines highlighted. */
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
  // Addresses are limited in length, and the first lines are enough to find the passage.
  for (const line of lines.slice(0, 8)) address.append("mark", line);
  return `/contracts/${contractId}/versions/${versionId}?${address}`;
}
