"use client";
/**
 * Components that are loaded when the pointer or focus reaches their button, so that a page need not wait for
 * menus that no one has opened yet.
 */
import { cloneElement, type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useIsCutOff } from "./connection.ts";
import { persistently } from "./lazily.tsx";
import { PartMissing } from "./part-missing.tsx";

export interface LazyOnIntent<Parts> {
  /** Returns the loaded parts. Call it only within their own children. */
  now(): Parts;
  load(): Promise<Parts>;
}

export function lazyOnIntent<Parts>(load: () => Promise<Parts>): LazyOnIntent<Parts> {
  let loaded: Parts | undefined;
  let coming: Promise<Parts> | undefined;
  return {
    now: () => {
      if (loaded === undefined) throw new Error("This belongs inside of what is loaded late.");
      return loaded;
    },
    load: () => {
      coming ??= persistently(load).then(
        (parts) => {
          loaded = parts;
          return parts;
        },
        (error) => {
          coming = undefined;
          throw error;
        },
      );
      return coming;
    },
  };
}

export interface OpenState {
  open: boolean;
  onOpenChange(open: boolean): void;
}

interface LazyTriggerProps<Parts> extends Partial<OpenState> {
  from: LazyOnIntent<Parts>;
  trigger: ReactElement;
  haspopup: "menu" | "dialog";
  children(parts: Parts, trigger: ReactElement, state: OpenState): ReactNode;
}

/** Renders only the button until its parts are loaded, then opens them if it was pressed in the meantime. */
export function LazyTrigger<Parts>({ from, trigger, haspopup, children, ...given }: LazyTriggerProps<Parts>) {
  const id = useId();
  const [parts, setParts] = useState<Parts>();
  const [own, setOwn] = useState(false);
  const pressed = useRef(false);
  const [isAwaited, setAwaited] = useState(false);
  const [isGone, setGone] = useState(false);
  const isCutOff = useIsCutOff();
  const state: OpenState = {
    open: given.open ?? own,
    onOpenChange: (open) => {
      setOwn(open);
      given.onOpenChange?.(open);
    },
  };
  const marked = { "data-late": id };
  if (parts) return children(parts, cloneElement(trigger, marked as object), state);
  const come = async () => {
    const loaded = await from.load().catch(() => undefined);
    setGone(!loaded);
    if (!loaded) return;
    const find = () => document.querySelector<HTMLElement>(`[data-late="${id}"]`);
    const hadFocus = find() === document.activeElement;
    // The button is remounted here: give it back the focus, unless what it opens takes the focus.
    flushSync(() => setParts(() => loaded));
    if (hadFocus && !pressed.current) find()?.focus();
  };
  const press = () => {
    pressed.current = true;
    setAwaited(true);
    state.onOpenChange(true);
    void come();
  };
  const near = {
    ...marked,
    "aria-haspopup": haspopup,
    "aria-expanded": false,
    onPointerEnter: () => void come(),
    onFocus: () => void come(),
    // If the button is remounted between press and release, no click event is fired.
    onPointerDown: press,
    onClick: press,
  };
  return (
    <>
      {cloneElement(trigger, near as object)}
      {isAwaited && (isGone || isCutOff) && <PartMissing trouble={isGone ? "outdated" : "cut-off"} isOver />}
    </>
  );
}
