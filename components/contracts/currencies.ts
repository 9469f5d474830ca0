"use client";
import { useMemo } from "react";
import { useSession } from "#components/session.tsx";

/** The currencies of most contracts. */
const common = ["USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "INR", "CNY"];

/** Returns the currency options: the workspace's own, the common ones, then all others. */
export function useCurrencies(): { value: string; label: string }[] {
  const { currency, currencies } = useSession();
  return useMemo(
    () => [...new Set([currency, ...common, ...currencies])].map((code) => ({ value: code, label: code })),
    [currency, currencies],
  );
}
