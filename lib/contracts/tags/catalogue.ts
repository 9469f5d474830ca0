/** The most tags on a contract. In a file of its own, so that pages need not load a parser. */
export const maxTags = 20;
