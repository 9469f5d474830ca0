"use client";
import { clsx } from "clsx";
import { Popover as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import type { OpenState } from "./lazy-on-intent.tsx";

export interface PopoverProps extends Partial<OpenState> {
  /** The button that opens the popover. */
  trigger: ReactElement;
  label: string;
  align?: "start" | "end";
  className?: string;
  children: ReactNode;
}

/**
 * Moves the focus into the popover's content. It may still be loading when the popover opens; until then, the
 * popover itself is focused.
 */
function focusLoadedContent(popover: HTMLElement | null) {
  if (!popover) return;
  const observer = new MutationObserver(() => {
    if (document.activeElement !== popover) return;
    popover.querySelector<HTMLElement>("input, select, textarea, button, a[href]")?.focus();
  });
  observer.observe(popover, { childList: true, subtree: true });
  return () => observer.disconnect();
}

export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = "start",
  className,
  children,
}: PopoverProps & OpenState) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={focusLoadedContent}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={clsx(
            "z-50 max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg bg-raised",
            "shadow-high outline-none data-[state=open]:animate-appear",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
