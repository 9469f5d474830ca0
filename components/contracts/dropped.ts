/** A file that was dropped on one page and is taken up by the next. It is kept in memory, once. */

let dropped: File | null = null;

export function keepDropped(file: File): void {
  dropped = file;
}

export function takeDropped(): File | null {
  const file = dropped;
  dropped = null;
  return file;
}
