"use client";
/** What is typed between the key that opens a field and the field: nobody waits for a part of the page to be loaded. */

/** Where the field has not come by then, the keys are the page's again. */
const longestMs = 5_000;

export interface Typed {
  text: string;
  /** Enter ended it. */
  isEntered: boolean;
}

export const nothingTyped: Typed = { text: "", isEntered: false };

export interface TypedAhead {
  /** From now on what is typed is kept, and does nothing else. `onLeave` tells that the field is no longer wanted. */
  start(onLeave: () => void): void;
  /** Answers what was typed since, and keeps no more. */
  take(): Typed;
}

/** Null for a key that types nothing. */
function withKey(text: string, key: string): Typed | null {
  if (key === "Enter") return { text, isEntered: true };
  if (key === "Backspace") return { text: [...text].slice(0, -1).join(""), isEntered: false };
  return [...key].length === 1 ? { text: text + key, isEntered: false } : null;
}

/** Escape, a click or a focus that goes elsewhere say that the field is no longer wanted, nor what was typed for it. */
export function typedAhead(): TypedAhead {
  let typed = nothingTyped;
  let listening: AbortController | undefined;
  const take = () => {
    listening?.abort();
    listening = undefined;
    const taken = typed;
    typed = nothingTyped;
    return taken;
  };
  const keep = (event: KeyboardEvent) => {
    // Some letters take AltGr, which Windows calls Ctrl and Alt.
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (isCommand && !event.getModifierState("AltGraph")) return;
    // What begins with a space or Enter is meant for the button that has the focus.
    const { text } = typed;
    if (text === "" && [" ", "Enter", "Backspace"].includes(event.key)) return;
    const next = withKey(text, event.key);
    if (!next) return;
    // What is typed after Enter was not meant for the field.
    if (!typed.isEntered) typed = next;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    take,
    start(onLeave) {
      take();
      const own = new AbortController();
      listening = own;
      const leave = (event: Event) => {
        if (event instanceof KeyboardEvent && event.key !== "Escape") return keep(event);
        take();
        onLeave();
      };
      for (const type of ["keydown", "pointerdown", "focusin"]) {
        window.addEventListener(type, leave, { capture: true, signal: own.signal });
      }
      setTimeout(() => listening === own && take(), longestMs);
    },
  };
}
