/** The most tags on a contract. In a file without a parser, because pages use it. */
export const mostTags = 20;
