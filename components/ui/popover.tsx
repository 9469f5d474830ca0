"use client";
import { Late, latecomer } from "./late.tsx";
import type { PopoverProps } from "./popover-parts.tsx";

const parts = latecomer(() => import("./popover-parts.tsx"));

export function Popover(props: PopoverProps) {
  const { trigger, open, onOpenChange } = props;
  return (
    <Late from={parts} trigger={trigger} haspopup="dialog" open={open} onOpenChange={onOpenChange}>
      {({ Popover: Loaded }, marked, state) => <Loaded {...props} {...state} trigger={marked} />}
    </Late>
  );
}
