import { useEffect } from "react";

interface Page {
  data: readonly unknown[];
  page: number;
  pageCount: number;
}

/**
 * What was read of a list, if it is a page that the list has. Past its end, as when the only row of the last page is
 * done with, `onPage` leads to the last page that has rows, and nothing counts as read until that is there.
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
