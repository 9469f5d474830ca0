import { useEffect, useRef } from "react";

/** Handles Ctrl-Z, Ctrl-Shift-Z and Ctrl-Y, except in form controls, which have their own undo. */
export function useUndoKeys(undo: (() => void) | null, redo: (() => void) | null): void {
  const latest = useRef({ undo, redo });
  latest.current = { undo, redo };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, target } = event;
      if (!(ctrlKey || metaKey) || !["z", "y"].includes(key.toLowerCase())) return;
      if (target instanceof HTMLElement && target.closest("input, textarea, select")) return;
      event.preventDefault();
      const isRedo = shiftKey || key.toLowerCase() === "y";
      (isRedo ? latest.current.redo : latest.current.undo)?.();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
