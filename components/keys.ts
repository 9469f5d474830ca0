"use client";
/** Keys that do something when they are pressed alone, without Ctrl. */

/** Whether such a key is meant for the page. */
export function isForPage(event: KeyboardEvent): boolean {
  const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey;
  return isAlone && areSingleKeysOn() && !isTyping(event.target) && !isBusyElsewhere();
}

const setting = "single-keys";
/** As it was last turned where the browser keeps nothing, until the page is loaded again. */
let unkept: boolean | undefined;

/** Someone who dictates, or who often hits a key by mistake, can turn them off in their browser. */
export function areSingleKeysOn(): boolean {
  if (unkept !== undefined) return unkept;
  try {
    return localStorage.getItem(setting) !== "off";
  } catch {
    return true;
  }
}

export function turnSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(setting);
    else localStorage.setItem(setting, "off");
    unkept = undefined;
  } catch {
    unkept = on;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A dialog or a menu has the keyboard. */
function isBusyElsewhere(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null;
}
