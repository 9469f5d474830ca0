"use client";
/**
 * Stores entries that are not on the server yet in the tab's storage, so that a reload loses nothing. They
 * are deleted when the tab is closed.
 */

/** Returns a stored value, or null if there is none or it cannot be read. */
export function readStored<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. Does nothing if the browser cannot store it. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full, or disabled.
  }
}
