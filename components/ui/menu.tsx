"use client";
/** A menu under its button. What makes it up is loaded when somebody comes near. */
import type { ReactNode } from "react";
import { Late, latecomer } from "./late.tsx";
import type { MenuItemProps, MenuProps } from "./menu-parts.tsx";

const parts = latecomer(() => import("./menu-parts.tsx"));

export function Menu(props: MenuProps) {
  return (
    <Late from={parts} trigger={props.trigger} haspopup="menu">
      {({ Menu: Loaded }, trigger, state) => <Loaded {...props} {...state} trigger={trigger} />}
    </Late>
  );
}

export function MenuItem(props: MenuItemProps) {
  const { MenuItem: Loaded } = parts.now();
  return <Loaded {...props} />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { MenuLabel: Loaded } = parts.now();
  return <Loaded>{children}</Loaded>;
}

export function MenuSeparator() {
  const { MenuSeparator: Loaded } = parts.now();
  return <Loaded />;
}
