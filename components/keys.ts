"use client";
/** Keys that do something when they are pressed alone, without Ctrl. */
import { useSyncExternalStore } from "react";

/** Whether such a key is meant for the page. */
export function isForPage(event: KeyboardEvent): boolean {
  const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey;
  return isAlone && areOn() && !isTyping(event.target) && !isBusyElsewhere();
}

const setting = "single-keys";
/** As it was last turned where the browser keeps nothing, until the page is loaded again. */
let unkept: boolean | undefined;
const listeners = new Set<() => void>();

/** Whether they are on: someone who dictates, or who often hits a key by mistake, can turn them off in their browser. */
export const useSingleKeys = (): boolean => useSyncExternalStore(listen, areOn, () => true);

export function turnSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(setting);
    else localStorage.setItem(setting, "off");
    unkept = undefined;
  } catch {
    unkept = on;
  }
  for (const tell of listeners) tell();
}

function areOn(): boolean {
  if (unkept !== undefined) return unkept;
  try {
    return localStorage.getItem(setting) !== "off";
  } catch {
    return true;
  }
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  // Another tab may turn them.
  window.addEventListener("storage", tell);
  return () => {
    listeners.delete(tell);
    window.removeEventListener("storage", tell);
  };
}

/** A box that is ticked takes no letters. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))
  );
}

/** A dialog or a menu has the keyboard. */
function isBusyElsewhere(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null;
}
