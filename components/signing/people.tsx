import { Check, Clock } from "lucide-react";
import type { CeremonyState } from "#lib/doors/sign-client.ts";

/** Who signs, in what order, and who has signed. */
export function People({ people }: Pick<CeremonyState, "people">) {
  if (people.length < 2) return null;
  return (
    <ol
      aria-label="Who signs"
      className="divide-y divide-line rounded-lg border border-line bg-paper text-ink"
    >
      {people.map(({ name, isYou, hasSigned, isOnTurn, orderIndex }) => (
        <li key={`${orderIndex} ${name}`} className="flex items-center gap-3 px-4 py-2.5">
          <span className="min-w-0 flex-1 truncate">
            {name}
            {isYou && <span className="text-quiet"> (you)</span>}
          </span>
          <span className="inline-flex items-center gap-1.5 text-quiet text-xs">
            {hasSigned ? (
              <Check aria-hidden className="size-4 text-on-good" />
            ) : (
              isOnTurn && <Clock aria-hidden className="size-4" />
            )}
            {hasSigned ? "signed" : isOnTurn ? "to sign now" : "later"}
          </span>
        </li>
      ))}
    </ol>
  );
}
