"use client";
/**
 * Components that are loaded when the pointer or focus reaches their button, so that a page need not wait for
 * menus that no one has opened yet.
 */
import { cloneElement, type ReactElement, type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useIsCutOff } from "./connection.ts";
import { loadWithRetry } from "./lazily.tsx";
import { PartMissing } from "./part-missing.tsx";

export interface LazyOnIntent<Parts> {
  /** Returns the loaded parts. Call it only within their own children. */
  current(): Parts;
  load(): Promise<Parts>;
}

export function lazyOnIntent<Parts>(load: () => Promise<Parts>): LazyOnIntent<Parts> {
  let loaded: Parts | undefined;
  let loading: Promise<Parts> | undefined;
  return {
    current: () => {
      if (loaded === undefined) throw new Error("This belongs inside of what is loaded late.");
      return loaded;
    },
    load: () => {
      loading ??= loadWithRetry(load).then(
        (parts) => {
          loaded = parts;
          return parts;
        },
        (error) => {
          loading = undefined;
          throw error;
        },
      );
      return loading;
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
  const [isOutdated, setOutdated] = useState(false);
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
  const loadParts = async () => {
    const loaded = await from.load().catch(() => undefined);
    setOutdated(!loaded);
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
    void loadParts();
  };
  const intentProps = {
    ...marked,
    "aria-haspopup": haspopup,
    "aria-expanded": false,
    onPointerEnter: () => void loadParts(),
    onFocus: () => void loadParts(),
    // If the button is remounted between press and release, no click event is fired.
    onPointerDown: press,
    onClick: press,
  };
  return (
    <>
      {cloneElement(trigger, intentProps as object)}
      {isAwaited && (isOutdated || isCutOff) && (
        <PartMissing trouble={isOutdated ? "outdated" : "cut-off"} isOverlay />
      )}
    </>
  );
}
