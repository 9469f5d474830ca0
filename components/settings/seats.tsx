import { clsx } from "clsx";
import { counted } from "#components/words.ts";
import type { Workspace } from "#lib/people/members/schema.ts";

/** The number of seats that are taken, also as a bar. */
export function Seats({
  workspace: { seats, seatsUsed },
}: {
  workspace: Pick<Workspace, "seats" | "seatsUsed">;
}) {
  const isFull = seatsUsed >= seats;
  return (
    <div className="grid max-w-md gap-1.5">
      <p className="tabular-nums">
        <span className="font-medium">
          {seatsUsed} of {counted(seats, "seat")} taken
        </span>
        <span className="text-quiet">{isFull ? ": none is left" : `, ${seats - seatsUsed} left`}</span>
      </p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
        <div
          className={clsx("h-full rounded-full", isFull ? "bg-on-warn" : "bg-accent")}
          style={{ width: `${Math.min(1, seatsUsed / Math.max(1, seats)) * 100}%` }}
        />
      </div>
    </div>
  );
}
