/**
 * The version of the rules that split and index clauses. Increase it with every change of them, so that all documents
 * are indexed again.
 */
export const edition = 2;
