"use client";
/** An obligation's assignee. */
import { clsx } from "clsx";
import { UserRound } from "lucide-react";
import { OwnerField } from "#components/owner-field.tsx";
import type { Obligation } from "#lib/obligations/schema.ts";

/** The assignee's name in small type, with an icon and a label that say what it is. */
export function AssigneeName({
  obligation: { assignee, assigneeId },
  className,
}: {
  obligation: Pick<Obligation, "assignee" | "assigneeId">;
  className?: string;
}) {
  const how = assigneeId === null ? "Assignee, as the contract's owner" : "Assignee";
  return (
    <span title={how} className={clsx("flex min-w-0 items-baseline gap-1 text-quiet text-xs", className)}>
      <UserRound aria-hidden className="size-3 shrink-0 translate-y-px" />
      <span className="sr-only">Assignee: </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">{assignee.name}</span>
    </span>
  );
}

/** Selects the assignee; if none is selected, it is the contract's owner. */
export function AssigneeField(props: {
  label?: string;
  value: string | null;
  name?: string;
  onValue(id: string | null): void;
  className?: string;
}) {
  return <OwnerField {...props} what="assignee" placeholder="The contract's owner" clearable />;
}
