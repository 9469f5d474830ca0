/** `12,345`, of a whole number. Without Intl: its first formatter takes a slow phone a tenth of a second. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
