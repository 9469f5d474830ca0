"use client";
/** The groups of the palette's list, and their entries. */
import { Command } from "cmdk";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export function Group({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  );
}

interface RowProps {
  value: string;
  icon: LucideIcon;
  hint?: string;
  onSelect(): void;
  children: ReactNode;
}

export const rowClass =
  "flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-hover";

export function Row({ value, icon: Icon, hint, onSelect, children }: RowProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={rowClass}>
      <Icon aria-hidden className="size-4 shrink-0 text-quiet" />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="max-w-[45%] truncate text-faint text-xs">{hint}</span>}
    </Command.Item>
  );
}
