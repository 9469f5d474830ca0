"use client";
/** Links to the previous and next contract in the list that the user came from, and back to the list. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import NextLink from "next/link";
import { useRouter } from "next/navigation";
import { useLayoutEffect } from "react";
import { isForPage, useSingleKeys } from "#components/keys.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { type Neighbor, type Neighbors, rememberFocus, useNeighbors } from "./trail.ts";

export function ContractTrail({ id }: { id: string }) {
  const neighbors = useNeighbors(id);
  useKeys(neighbors);
  const { listHref = "/contracts", previous = null, next = null } = neighbors ?? {};
  return (
    <div className="mb-1 flex min-h-7 items-center gap-2 text-quiet text-xs print:hidden">
      <nav aria-label="Breadcrumbs" className="min-w-0 flex-1">
        <NextLink
          href={listHref}
          prefetch={false}
          onClick={() => rememberFocus(id)}
          className="rounded-sm hover:text-ink hover:underline"
        >
          Contracts
        </NextLink>
      </nav>
      {neighbors && (
        <nav aria-label="Contracts in the list" className="flex items-center gap-1">
          <span className="mr-1 tabular-nums">
            {neighbors.position.toLocaleString("en-US")} of {neighbors.total.toLocaleString("en-US")}
          </span>
          <Step to={previous} label="Previous contract" letter="k" />
          <Step to={next} label="Next contract" letter="j" />
        </nav>
      )}
    </div>
  );
}

function Step({ to, label, letter }: { to: Neighbor | null; label: string; letter: "j" | "k" }) {
  const Icon = letter === "j" ? ChevronRight : ChevronLeft;
  const linkClass = `${buttonClass("quiet", "sm")} w-7 !px-0`;
  const hasKey = useSingleKeys();
  if (!to) {
    return (
      <span aria-hidden className={`${linkClass} opacity-40`}>
        <Icon />
      </span>
    );
  }
  return (
    <NextLink
      href={`/contracts/${to.id}`}
      prefetch={false}
      onClick={to.enter}
      aria-label={label}
      aria-keyshortcuts={hasKey ? letter : undefined}
      title={hasKey ? `${label} (${letter})` : label}
      className={linkClass}
    >
      <Icon aria-hidden />
    </NextLink>
  );
}

/** Steps through the list with j and k, as in mail programs; n and p step through changes. */
function useKeys(neighbors: Neighbors | null): void {
  const router = useRouter();
  // Listens as soon as the links are visible: on a busy page, useEffect would run later and miss keys.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const to = event.key === "j" ? neighbors?.next : event.key === "k" ? neighbors?.previous : null;
      if (!to || !isForPage(event)) return;
      event.preventDefault();
      to.enter();
      router.push(`/contracts/${to.id}`);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [router, neighbors]);
}
