"use client";
/**
 * Buffers what is typed between the key that opens a field and the loading of the field, so that no one has
 * to wait.
 */

/** If the field has not loaded by then, keys have their usual effects again. */
const longestMs = 5_000;

export interface Typed {
  text: string;
  /** Whether it was ended with Enter. */
  isEntered: boolean;
}

export const nothingTyped: Typed = { text: "", isEntered: false };

export interface TypedAhead {
  /**
   * Starts to buffer what is typed and to prevent its other effects. Calls `onLeave` if the user moves
   * elsewhere.
   */
  start(onLeave: () => void): void;
  /** Returns what was typed since `start`, and stops buffering. */
  take(): Typed;
}

/** Returns the text after a key press; null for a key that types nothing. */
function withKey(text: string, key: string): Typed | null {
  if (key === "Enter") return { text, isEntered: true };
  if (key === "Backspace") return { text: [...text].slice(0, -1).join(""), isEntered: false };
  return [...key].length === 1 ? { text: text + key, isEntered: false } : null;
}

/**
 * Creates a buffer. Escape, a click or a focus change means that the field is no longer wanted, and clears
 * it.
 */
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
    // Some letters need AltGr, which Windows reports as Ctrl and Alt.
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (isCommand && !event.getModifierState("AltGraph")) return;
    // A space or Enter as the first key is meant for the focused button.
    const { text } = typed;
    if (text === "" && [" ", "Enter", "Backspace"].includes(event.key)) return;
    const next = withKey(text, event.key);
    if (!next) return;
    // Keys after Enter are not meant for the field.
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
