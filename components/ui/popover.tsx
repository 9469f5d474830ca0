"use client";
import { LazyTrigger, lazyOnIntent } from "./lazy-on-intent.tsx";
import type { PopoverProps } from "./popover-parts.tsx";

const parts = lazyOnIntent(() => import("./popover-parts.tsx"));

export function Popover(props: PopoverProps) {
  const { trigger, open, onOpenChange } = props;
  return (
    <LazyTrigger from={parts} trigger={trigger} haspopup="dialog" open={open} onOpenChange={onOpenChange}>
      {({ Popover: Loaded }, marked, state) => <Loaded {...props} {...state} trigger={marked} />}
    </LazyTrigger>
  );
}
