/** What is typed to find names: three letters or more anywhere in them, one or two at the beginning of a word. */
import { containing } from "./wire.ts";

const isBeginning = (q: string) => [...q].length <= 2;

/** What a condition of `matches` compares with. */
export const searched = (q: string) => (isBeginning(q) ? q : containing(q));

/** The condition that a column has the letters; the parameter is what `searched` made of them. */
export function matches(column: string, q: string, parameter: string): string {
  return isBeginning(q)
    ? `word_beginnings(${column}) @> ARRAY[lower(${parameter}::text)]`
    : `${column} ILIKE ${parameter}::text`;
}
