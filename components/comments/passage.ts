/** A passage of a version: the selection in the viewer, and the address that shows it marked. */

export interface Passage {
  page: number;
  quote: string;
}

/** The text selected on a page of the viewer, one line of it per line; null if nothing is selected. */
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

/** The address of the passage, with its lines marked. */
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
  // Addresses are limited in length; the first lines are enough to find the place.
  for (const line of lines.slice(0, 8)) address.append("mark", line);
  return `/contracts/${contractId}/versions/${versionId}?${address}`;
}
