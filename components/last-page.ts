import { useEffect } from "react";

interface Page {
  data: readonly unknown[];
  page: number;
  pageCount: number;
}

/**
 * Returns the page of a list, if the list has it. Past the end, such as after the only row of the last page
 * was removed, calls `onPage` with the last page that has rows, and returns undefined until that arrives.
 */
export function useLastPage<Read extends Page>(
  { data, isPrevious }: { data: Read | undefined; isPrevious: boolean },
  onPage: (page: number) => unknown,
): Read | undefined {
  const isPast = data !== undefined && data.data.length === 0 && data.page > 1;
  const last = data ? Math.max(1, Math.min(data.pageCount, data.page - 1)) : 1;
  useEffect(() => {
    if (isPast && !isPrevious) onPage(last);
  });
  return isPast ? undefined : data;
}
