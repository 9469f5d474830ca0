/** Counts responses, if this process has metrics (lib/run/ports). */
type Count = (operation: string, status: number, seconds: number) => void;

let counting: Count | undefined;

export function setResponseCounter(count: Count): void {
  counting = count;
}

/** Call it for each response. `operation` is from a fixed set, never a caller's text. */
export function recordResponse(operation: string, status: number, seconds: number): void {
  counting?.(operation, status, seconds);
}
