"use client";
/** Warns about existing counterparties that may be the one about to be added, once for each. */
import { useState } from "react";
import { useDoor } from "#components/door.tsx";
import { useMounted } from "#components/mounted.ts";
import { problemOf, refusalToast } from "#components/problem.ts";
import { Link } from "#components/ui/link.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Counterparty } from "#lib/counterparties/schema.ts";
import { findDuplicates } from "./find-duplicates.ts";

interface Wanted {
  name: string;
  domain: string;
}

export function useDuplicateWarning() {
  const [pointedOut, setPointedOut] = useState<Counterparty[]>([]);
  const door = useDoor();
  const toast = useToast();
  const isOpen = useMounted();
  /**
   * Returns whether the counterparty may be added: none is similar, or the user has been shown those that
   * are. Without a connection, waits until it is back. If the form has been closed by then, a toast says that
   * nothing was added.
   */
  async function mayBeAdded(wanted: Wanted): Promise<boolean> {
    const { data } = await door.ask("counterparties.list", {}).catch((error) => {
      if (!isOpen.current) toast(refusalToast(problemOf(error)));
      throw error;
    });
    const same = findDuplicates(data, wanted);
    const hasUnseen = same.some(({ id }) => !pointedOut.some((known) => known.id === id));
    setPointedOut(same);
    if (hasUnseen && !isOpen.current) {
      toast({
        tone: "failed",
        title: `${wanted.name} was not added`,
        detail: <ExistingCounterparties same={same} />,
      });
    }
    return !hasUnseen;
  }
  return { pointedOut, mayBeAdded };
}

export function ExistingCounterparties({ same }: { same: Counterparty[] }) {
  return (
    <>
      <p className="font-medium">{same.length === 1 ? "This one already exists:" : "These already exist:"}</p>
      <ul>
        {same.map(({ id, name, domain }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <Link href={`/counterparties/${id}`} className="!text-inherit">
              {name}
            </Link>
            {domain && `, ${domain}`}
          </li>
        ))}
      </ul>
    </>
  );
}
