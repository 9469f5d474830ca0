/** Finds names by typed letters: three or more anywhere in them, one or two at the beginning of a word. */

/** The condition that words, as the database's words_of made them, have the letters of a parameter. */
export const haveLetters = (words: string, parameter: string) =>
  `${words} LIKE words_with(${parameter}::text)`;

/**
 * The same condition on the name itself. It costs a little for each name that is read, and needs no index: it is for rows
 * that are read anyway, one after the other.
 */
export function nameHasLetters(name: string, parameter: string): string {
  const letters = `lower(${parameter}::text)`;
  const anywhere = `lower(${name}) LIKE '%' || regexp_replace(${letters}, '([\\\\%_])', '\\\\\\1', 'g') || '%'`;
  const isBeginning = `char_length(${parameter}::text) <= 2 AND ${letters} ~ '^\\w'`;
  const begins = `lower(${name}) ~ ('\\m' || regexp_replace(${letters}, '([^\\w\\s])', '\\\\\\1', 'g'))`;
  return `(${anywhere} AND CASE WHEN ${isBeginning} THEN ${begins} ELSE true END)`;
}
