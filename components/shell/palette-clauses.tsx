"use client";
/** Matches in documents' text, in the palette: a few clauses, and a link to all of them. */
import { Command } from "cmdk";
import { FileSearch } from "lucide-react";
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { Quote } from "#components/search/quote.tsx";
import { clausePath } from "#lib/overview/search/addresses.ts";
import type { ClauseHit } from "#lib/overview/search/schema.ts";
import { Group, Row, rowClass } from "./palette-entries.tsx";

/** The minimum length of a search in all documents; anything shorter is too unspecific. */
const fewestLetters = 3;
const maxClauses = 4;

interface PaletteClausesProps {
  words: string;
  /**
   * Whether the matching names have been loaded. They come first in the list, and Enter opens the first
   * entry.
   */
  isReady: boolean;
  onGo(href: string): void;
}

export function PaletteClauses({ words, isReady, onGo }: PaletteClausesProps) {
  const q = useDebounced(words, 250);
  const isAsked = words.length >= fewestLetters && q.length >= fewestLetters;
  const found = useOperation(
    "search.clauses",
    { q, limit: maxClauses },
    { enabled: isAsked, keepPrevious: true },
  );
  const hits = isAsked ? (found.data?.hits ?? []) : [];
  if (!isReady || words.length < fewestLetters) return null;
  return (
    <Group heading="In documents">
      <Row
        value="search documents"
        icon={FileSearch}
        onSelect={() => onGo(`/contracts?${new URLSearchParams({ in: "documents", q: words })}`)}
      >
        Search documents for “{words}”
      </Row>
      {hits.map((hit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a hit is identified by its position in the response.
        <Clause key={at} value={`clause ${at}`} hit={hit} onGo={onGo} />
      ))}
    </Group>
  );
}

interface ClauseProps {
  value: string;
  hit: ClauseHit;
  onGo(href: string): void;
}

function Clause({ value, hit, onGo }: ClauseProps) {
  return (
    <Command.Item value={value} onSelect={() => onGo(clausePath(hit))} className={rowClass}>
      <FileSearch aria-hidden className="size-4 shrink-0 text-quiet" />
      <span className="grid min-w-0 flex-1">
        <span className="line-clamp-2">
          <Quote {...aroundFirst(hit)} />
        </span>
        <span className="truncate text-faint text-xs">
          {hit.contract.title} · page {hit.pageIndex + 1}
        </span>
      </span>
    </Command.Item>
  );
}

const before = 40;

/** Cuts a quote to begin shortly before its first mark, so that the match is visible. */
function aroundFirst({ quote, marks }: ClauseHit): Pick<ClauseHit, "quote" | "marks"> {
  const from = (marks[0]?.[0] ?? 0) - before;
  const cut = from <= 0 ? 0 : quote.indexOf(" ", from) + 1;
  if (cut === 0) return { quote, marks };
  return {
    quote: `…${quote.slice(cut)}`,
    marks: marks.map(([start, end]) => [start - cut + 1, end - cut + 1]),
  };
}
