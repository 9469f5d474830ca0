"use client";
/**
 * What has been entered and is not on the server yet, kept by the browser's tab: a reload in that moment loses
 * nothing. It ends with the tab.
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
