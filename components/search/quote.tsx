import { Fragment } from "react";

/**
 * A quote from a document, with the matches marked. `marks` are ranges [start, end) in the quote, in order.
 */
export function Quote({ quote, marks }: { quote: string; marks: readonly (readonly number[])[] }) {
  const parts = marks.map(([start = 0, end = 0], at) => ({
    start,
    before: quote.slice(at === 0 ? 0 : marks[at - 1]![1], start),
    word: quote.slice(start, end),
  }));
  return (
    <>
      {parts.map(({ start, before, word }) => (
        <Fragment key={start}>
          {before}
          <mark className="rounded-[2px] bg-found text-ink">{word}</mark>
        </Fragment>
      ))}
      {quote.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
}
