"use client";
/**
 * Entries that are not on the server yet, kept in the tab's storage so that a reload loses nothing. They end with the
 * tab.
 */

/** Null where there is nothing, or nothing that can be read. */
export function recall<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Null forgets. Where the browser keeps nothing, there is nothing to recall, and that is all. */
export function remember(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // It is full, or switched off.
  }
}
