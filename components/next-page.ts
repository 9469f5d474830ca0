import { useEffect } from "react";
import { usePrefetch } from "#components/query.tsx";
import { whenIdle } from "#components/ui/when-idle.ts";
import type { InputOf, OperationName } from "#lib/doors/client.ts";

/** Prefetches the next page of a list while the browser is idle, so as not to delay the current page. */
export function useNextPage<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  reading: { data?: { page: number; pageCount: number }; isPrevious: boolean },
): void {
  const prefetch = usePrefetch();
  const { data, isPrevious } = reading;
  const next = data && !isPrevious && data.page < data.pageCount ? { ...input, page: data.page + 1 } : null;
  const inputKey = JSON.stringify(next);
  useEffect(() => {
    if (inputKey === "null") return;
    return whenIdle(() => prefetch(name, JSON.parse(inputKey)));
  }, [prefetch, name, inputKey]);
}
