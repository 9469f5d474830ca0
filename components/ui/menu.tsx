"use client";
/** A menu under its button. Its parts are loaded when the pointer or focus reaches the button. */
import type { ReactNode } from "react";
import { LazyTrigger, lazyOnIntent } from "./lazy-on-intent.tsx";
import type { MenuItemProps, MenuProps } from "./menu-parts.tsx";

const parts = lazyOnIntent(() => import("./menu-parts.tsx"));

export function Menu(props: MenuProps) {
  return (
    <LazyTrigger from={parts} trigger={props.trigger} haspopup="menu">
      {({ Menu: Loaded }, trigger, state) => <Loaded {...props} {...state} trigger={trigger} />}
    </LazyTrigger>
  );
}

export function MenuItem(props: MenuItemProps) {
  const { MenuItem: Loaded } = parts.current();
  return <Loaded {...props} />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { MenuLabel: Loaded } = parts.current();
  return <Loaded>{children}</Loaded>;
}

export function MenuSeparator() {
  const { MenuSeparator: Loaded } = parts.current();
  return <Loaded />;
}
