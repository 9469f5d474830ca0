/** Which rules read the clauses that are indexed: raised with every change of them, so that all are read again. */
export const edition = 2;
