import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "./button.tsx";
import { formatCount } from "./numbers.ts";

export interface PaginationProps {
  page: number;
  pageSize: number;
  pageCount: number;
  total: number;
  /** The plural noun for the items, such as "contracts". */
  what: string;
  onPage(page: number): void;
  /** Called when a button is hovered or focused, so that its page can be preloaded. */
  onIntent?(page: number): void;
}

export function Pagination({ page, pageSize, pageCount, total, what, onPage, onIntent }: PaginationProps) {
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  const towards = (to: number) => ({
    onClick: () => onPage(to),
    onPointerEnter: () => onIntent?.(to),
    onFocus: () => onIntent?.(to),
  });
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 text-quiet text-xs tabular-nums">
      <span aria-live="polite">
        {formatCount(first)}–{formatCount(last)} of {formatCount(total)} {what}
      </span>
      <span className="ml-auto flex items-center gap-1">
        <IconButton
          label="Previous page"
          variant="secondary"
          size="sm"
          disabled={page <= 1}
          {...towards(page - 1)}
        >
          <ChevronLeft aria-hidden />
        </IconButton>
        <span className="px-1.5">
          Page {formatCount(page)} of {formatCount(Math.max(pageCount, 1))}
        </span>
        <IconButton
          label="Next page"
          variant="secondary"
          size="sm"
          disabled={page >= pageCount}
          {...towards(page + 1)}
        >
          <ChevronRight aria-hidden />
        </IconButton>
      </span>
    </nav>
  );
}
