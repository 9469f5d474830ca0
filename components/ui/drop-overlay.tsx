"use client";
/** An overlay that says what happens when the files being dragged over the page are dropped. */
import { FileUp } from "lucide-react";
import type { ReactNode } from "react";

export function DropOverlay({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed inset-0 z-30 grid place-items-center bg-scrim">
      <p className="flex items-center gap-3 rounded-xl bg-raised px-6 py-4 font-medium text-base shadow-high">
        <FileUp aria-hidden className="size-5 text-accent" />
        {children}
      </p>
    </div>
  );
}
