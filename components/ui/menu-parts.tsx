"use client";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import type { OpenState } from "./lazy-on-intent.tsx";

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  align?: "start" | "end";
  label?: string;
  children: ReactNode;
}

export interface MenuItemProps {
  children: ReactNode;
  icon?: ReactNode;
  hint?: ReactNode;
  /** Why it is disabled. It can still be focused, so that the reason can be read. */
  disabledReason?: string | null;
  danger?: boolean;
  checked?: boolean;
  onSelect?(): void;
}

/** The menu itself, with Radix; loaded when a menu is about to be opened. */
export function Menu({
  trigger,
  align = "start",
  label,
  open,
  onOpenChange,
  children,
}: MenuProps & OpenState) {
  return (
    <Radix.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className={clsx(
            "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 max-w-80 overflow-y-auto rounded-lg bg-raised p-1",
            "shadow-high outline-none data-[state=open]:animate-appear",
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const item = clsx(
  "flex min-h-8 w-full cursor-default select-none items-center gap-2 rounded-sm px-2 py-1.5 text-left outline-none",
  "data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet",
);

export function MenuItem({ children, icon, hint, disabledReason, danger, checked, onSelect }: MenuItemProps) {
  return (
    <Radix.Item
      aria-disabled={disabledReason ? true : undefined}
      onSelect={(event) => {
        if (disabledReason) event.preventDefault();
        else onSelect?.();
      }}
      className={clsx(item, danger && "text-danger [&_svg]:text-danger", disabledReason && "text-faint")}
    >
      {icon}
      <span className="min-w-0 flex-1">
        {children}
        {(disabledReason || hint) && (
          <span className="block text-faint text-xs">{disabledReason ?? hint}</span>
        )}
      </span>
      {checked && <Check aria-label="chosen" />}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 font-medium text-faint text-xs">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
