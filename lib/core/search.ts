/** Finds names by typed letters: three or more anywhere in the name, one or two at the start of a word. */

/** The condition that words, as made by the database's words_of, contain a parameter's letters. */
export const haveLetters = (words: string, parameter: string) =>
  `${words} LIKE words_with(${parameter}::text)`;

/**
 * The same condition on the name itself. It costs a little for each name read and needs no index: it is for rows that
 * are read one after another anyway.
 */
export function nameHasLetters(name: string, parameter: string): string {
  const letters = `lower(${parameter}::text)`;
  const anywhere = `lower(${name}) LIKE '%' || regexp_replace(${letters}, '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
  const isBeginning = `char_length(${parameter}::text) <= 2 AND ${letters} ~ '^\\w'`;
  const begins = `lower(${name}) ~ ('\\m' || regexp_replace(${letters}, '([^\\w\\s])', '\\\\\\1', 'g'))`;
  return `(${anywhere} AND CASE WHEN ${isBeginning} THEN ${begins} ELSE true END)`;
}
