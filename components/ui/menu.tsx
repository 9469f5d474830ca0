"use client";
/** A menu under its button. What makes it up is loaded when somebody comes near. */
import type { ReactElement, ReactNode } from "react";
import { Late, latecomer } from "./late.tsx";

const parts = latecomer(() => import("./menu-parts.tsx"));

export interface MenuProps {
  /** The button. */
  trigger: ReactElement;
  align?: "start" | "end";
  label?: string;
  children: ReactNode;
}

export function Menu(props: MenuProps) {
  return (
    <Late from={parts} trigger={props.trigger} haspopup="menu">
      {({ Menu: Loaded }, trigger, state) => <Loaded {...props} {...state} trigger={trigger} />}
    </Late>
  );
}

export interface MenuItemProps {
  children: ReactNode;
  icon?: ReactNode;
  hint?: ReactNode;
  /** Why it cannot be chosen. It can still be reached, so that the reason is read. */
  refused?: string | null;
  danger?: boolean;
  checked?: boolean;
  onSelect?(): void;
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
