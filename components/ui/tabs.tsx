"use client";
import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface Tab {
  value: string;
  label: string;
  count?: number;
  content: ReactNode;
}

export function Tabs({
  label,
  value,
  onValue,
  tabs,
}: {
  label: string;
  value: string;
  onValue(value: string): void;
  tabs: Tab[];
}) {
  return (
    <Radix.Root value={value} onValueChange={onValue}>
      <Radix.List aria-label={label} className="flex flex-wrap gap-x-5 border-line border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex h-10 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 font-medium text-quiet outline-offset-[-2px] hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="rounded-full bg-tone-neutral px-1.5 text-2xs text-on-neutral tabular-nums">
                {tab.count}
              </span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-5 outline-offset-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
