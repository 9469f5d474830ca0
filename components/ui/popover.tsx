"use client";
/** A small window at its button. What makes it up is loaded when somebody comes near. */
import type { ReactElement, ReactNode } from "react";
import { Late, latecomer, type OpenState } from "./late.tsx";

const parts = latecomer(() => import("./popover-parts.tsx"));

export interface PopoverProps extends Partial<OpenState> {
  /** The button. */
  trigger: ReactElement;
  label: string;
  align?: "start" | "end";
  className?: string;
  children: ReactNode;
}

export function Popover(props: PopoverProps) {
  const { trigger, open, onOpenChange } = props;
  return (
    <Late from={parts} trigger={trigger} haspopup="dialog" open={open} onOpenChange={onOpenChange}>
      {({ Popover: Loaded }, marked, state) => <Loaded {...props} {...state} trigger={marked} />}
    </Late>
  );
}
