"use client";
import { useMemo } from "react";
import { useSession } from "#components/session.tsx";

/** The currencies that most contracts are in. */
const common = ["USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "INR", "CNY"];

/** To choose from: the common ones, then all others. */
export function useCurrencies(): { value: string; label: string }[] {
  const { currencies } = useSession();
  return useMemo(() => {
    const rest = currencies.filter((code) => !common.includes(code));
    return [...common, ...rest].map((code) => ({ value: code, label: code }));
  }, [currencies]);
}
