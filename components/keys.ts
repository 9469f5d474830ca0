"use client";
/** Single-key shortcuts: keys that trigger an action without Ctrl, Alt or Cmd. */
import { useSyncExternalStore } from "react";

/** Returns whether a key press is a single-key shortcut for the page. */
export function isForPage(event: KeyboardEvent): boolean {
  const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey;
  return isAlone && areSingleKeysOn() && !isTyping(event.target) && !isBusyElsewhere();
}

const setting = "single-keys";
/** The setting until the page is reloaded, if the browser cannot store it. */
let unstored: boolean | undefined;
const listeners = new Set<() => void>();

/**
 * Returns whether they are on. People who dictate, or press keys by accident, can turn them off in a browser.
 */
export const useSingleKeys = (): boolean => useSyncExternalStore(listen, areSingleKeysOn, () => true);

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(setting);
    else localStorage.setItem(setting, "off");
    unstored = undefined;
  } catch {
    unstored = on;
  }
  for (const tell of listeners) tell();
}

function areSingleKeysOn(): boolean {
  if (unstored !== undefined) return unstored;
  try {
    return localStorage.getItem(setting) !== "off";
  } catch {
    return true;
  }
}

function listen(notify: () => void): () => void {
  listeners.add(notify);
  // Another tab may turn them on or off.
  window.addEventListener("storage", notify);
  return () => {
    listeners.delete(notify);
    window.removeEventListener("storage", notify);
  };
}

/** Returns whether the target takes keyboard input. Checkboxes do not count. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
  );
}

/** Returns whether a dialog or a menu is open, which then handles the keyboard. */
function isBusyElsewhere(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null;
}
