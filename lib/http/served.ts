/**
 * Who counts requests: no one, where this process has no metrics (lib/run/ports). Shared by all copies of this module,
 * for Next bundles its own.
 */
type Count = (operation: string, status: number, seconds: number) => void;

const shared = globalThis as { countersignServed?: Count };

export function countServed(count: Count): void {
  shared.countersignServed = count;
}

/** To be called with each answer. `operation` names one of ours, never what a caller has written. */
export function served(operation: string, status: number, seconds: number): void {
  shared.countersignServed?.(operation, status, seconds);
}
