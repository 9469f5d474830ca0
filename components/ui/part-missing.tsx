"use client";
import { clsx } from "clsx";
import { CloudOff, RefreshCw } from "lucide-react";
import { Button } from "./button.tsx";

export interface PartMissingProps {
  trouble: "cut-off" | "outdated";
  /** Whether the missing part is an overlay, not a part of the page. */
  isOverlay?: boolean;
}

/** Shown in place of a part that cannot be loaded, until it can. */
export function PartMissing({ trouble, isOverlay = false }: PartMissingProps) {
  const isCutOff = trouble === "cut-off";
  const Icon = isCutOff ? CloudOff : RefreshCw;
  return (
    <div
      role="status"
      className={clsx(
        "flex items-start gap-3 text-base",
        isOverlay
          ? "fixed inset-x-3 bottom-20 z-[60] mx-auto max-w-md animate-rise rounded-lg bg-raised px-4 py-3 text-ink shadow-high"
          : "mx-auto max-w-md px-6 py-14",
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-quiet" />
      <div className="grid justify-items-start gap-2">
        <p>
          {isCutOff
            ? "There is no connection. What you entered is kept, and this part of the page loads automatically once the connection is back."
            : "The server has been updated. Reload the page to continue; what is not saved yet has to be entered again."}
        </p>
        {!isCutOff && <Button onClick={() => window.location.reload()}>Reload the page</Button>}
      </div>
    </div>
  );
}
