/** How many tags a contract can have. Without a parser: pages say it. */
export const mostTags = 20;
