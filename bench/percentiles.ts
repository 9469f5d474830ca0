export const rounded = (value: number) => Math.round(value * 100) / 100;

/** Returns the median and the 95th and 99th percentiles. */
export function percentiles(times: number[]): Record<"p50Ms" | "p95Ms" | "p99Ms", number> {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

export const median = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};
