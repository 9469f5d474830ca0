/** Formats a whole number: `12,345`. Without Intl, whose first formatter takes 0.1 s on a slow phone. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
