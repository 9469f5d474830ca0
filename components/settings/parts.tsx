"use client";
/** Parts shared by the settings pages. */
import { clsx } from "clsx";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { WhoToAsk } from "#components/needs-right.tsx";
import type { Reading } from "#components/operation.ts";
import { useRefusal } from "#components/session.tsx";
import { PageHeader, type PageHeaderProps } from "#components/ui/page-header.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

export interface SettingsBodyProps extends PageHeaderProps {
  /** The scope required to see the page. */
  scope?: Scope | PeopleScope;
  /** Narrow for forms, wide for tables. */
  wide?: boolean;
  children: ReactNode;
}

/** A settings page, or the reason why the member may not see it. */
export function SettingsBody({ scope, wide = false, children, ...header }: SettingsBodyProps) {
  const refusal = useRefusal();
  const refused = scope ? refusal(scope) : null;
  const { actions, ...said } = header;
  return (
    <div
      className={clsx(
        "grid grid-cols-[minmax(0,1fr)] gap-6 px-4 py-5 max-lg:pt-1 md:px-6",
        !wide && "max-w-3xl",
      )}
    >
      <PageHeader {...said} actions={refused ? undefined : actions} />
      {refused ? (
        <EmptyState icon={Lock} title="Not for your role" action={<WhoToAsk />}>
          {refused}
        </EmptyState>
      ) : (
        children
      )}
    </div>
  );
}

/** Renders the response; until it arrives, a loading state or the error. */
export function Read<Output>({
  reading,
  label,
  rows = 4,
  children,
}: {
  reading: Pick<Reading<Output>, "data" | "error" | "refetch">;
  label: string;
  rows?: number;
  children(data: Output): ReactNode;
}) {
  const { data, error, refetch } = reading;
  if (data !== undefined) return children(data);
  if (error) return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  return <SkeletonRows label={label} rows={rows} />;
}

/** The reason why something that is visible cannot be used. */
export function Reason({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <p className={clsx("flex items-start gap-1.5 text-quiet text-xs", className)}>
      <Lock aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
