/** Who counts requests: no one, where this process has no metrics (lib/run/ports). */
type Count = (operation: string, status: number, seconds: number) => void;

let counting: Count | undefined;

export function countServed(count: Count): void {
  counting = count;
}

/** To be called with each answer. `operation` names one of ours, never what a caller has written. */
export function served(operation: string, status: number, seconds: number): void {
  counting?.(operation, status, seconds);
}
