"use client";
/**
 * The theme: light, dark, or the system's. It is a cookie, so that the server can render the first paint in
 * it.
 */
import { useState } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const yearSeconds = 31_536_000;

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(
    () =>
      (typeof document === "undefined" ? undefined : (document.documentElement.dataset.theme as Theme)) ??
      "system",
  );
  return [
    theme,
    (next) => {
      setTheme(next);
      if (next === "system") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = next;
      const secure = window.location.protocol === "https:" ? "; secure" : "";
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
      document.cookie = `theme=${next}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
    },
  ];
}
