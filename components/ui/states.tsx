"use client";
/** The states of a page without content: loading, empty, error. */
import { clsx } from "clsx";
import { type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { CopyText } from "./copy.tsx";

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** A sentence that describes what would be shown here. */
  children?: ReactNode;
  /** The button or link for the next step. */
  action?: ReactNode;
  /** Whether it is in a card next to other content. */
  compact?: boolean;
}

export function EmptyState({ icon: Icon, title, children, action, compact }: EmptyStateProps) {
  return (
    <div
      className={clsx(
        "mx-auto grid max-w-sm justify-items-center gap-1 px-6 text-center",
        compact ? "py-6" : "py-14",
      )}
    >
      <span
        className={clsx(
          "grid place-items-center rounded-xl bg-accent-soft text-accent",
          compact ? "mb-1.5 size-9" : "mb-3 size-11",
        )}
      >
        <Icon aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <p className={clsx("font-semibold", !compact && "text-base")}>{title}</p>
      {children && <p className="text-pretty text-quiet">{children}</p>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  title?: string;
  /** What happened, and what to do about it. */
  message: string;
  requestId?: string | null;
  onRetry?(): void;
}

export function ErrorState({ title = "That did not work", message, requestId, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-1 px-6 py-14 text-center">
      <span className="mb-3 grid size-11 place-items-center rounded-xl bg-tone-bad text-on-bad">
        <TriangleAlert aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <p className="font-semibold text-base">{title}</p>
      <p className="text-pretty text-quiet">{message}</p>
      {requestId && <CopyText label="Request" text={requestId} className="mt-2" />}
      {onRetry && (
        <Button className="mt-4" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function Skeleton({ className }: { className?: string }) {
  return <Bar className={clsx("animate-shimmer", className)} />;
}

function Bar({ className }: { className: string }) {
  return <span aria-hidden className={clsx("block rounded-sm bg-hover", className)} />;
}

/** The skeleton of a list. All rows share one animation, because each animation has a cost when it ends. */
export function SkeletonRows({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={`${label} …`} className="animate-shimmer">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical rows that never move.
        <div key={row} className="flex h-10 items-center gap-4 border-line border-b px-4 last:border-b-0">
          <Bar className="h-3 w-2/5" />
          <Bar className="ml-auto h-3 w-16" />
          <Bar className="h-3 w-24 max-sm:hidden" />
          <Bar className="h-3 w-16 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}

export interface PagePendingProps {
  reading: { error: { message: string; requestId: string | null } | null; refetch(): void };
  label: string;
}

/** A page whose content is loading or could not be loaded. */
export function PagePending({ reading, label }: PagePendingProps) {
  const { error, refetch } = reading;
  if (error) return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  return (
    <div className="grid gap-6 px-4 py-6 md:px-6">
      <Skeleton className="h-7 w-72" />
      <SkeletonRows label={label} rows={6} />
    </div>
  );
}
