/** What is typed to find names: three letters or more anywhere in them, one or two at the beginning of a word. */

/** The condition that words, as the database's words_of made them, have the letters of a parameter. */
export const haveLetters = (words: string, parameter: string) =>
  `${words} LIKE words_with(${parameter}::text)`;
