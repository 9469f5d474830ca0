import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { csvField } from "./head.ts";
import { checkImport, createImport, discardImport, readImport, startImport } from "./imports.ts";
import { ImportAnswer, Mapping, NewImport } from "./schema.ts";

/** Operations that import contracts from a table. Rows may name counterparties, which are created with them. */
export const imports = {
  read: operation({
    summary: "Get your import of contracts",
    scopes: ["contracts:read"],
    input: z.strictObject({}),
    output: ImportAnswer,
    errors: [],
    run: readImport,
  }),
  create: operation({
    summary: "Start an import from a CSV",
    description: "It replaces an import started with another file.",
    scopes: ["contracts:write", "counterparties:write"],
    input: NewImport,
    file: csvField,
    output: ImportAnswer,
    errors: ["conflict"],
    ignoresIdempotencyKey: true,
    run: (ctx, input, file) => createImport(ctx, input, file!),
  }),
  check: operation({
    summary: "Check an import without creating anything",
    description: "Returns how many contracts would be created, or what is wrong on which line.",
    scopes: ["contracts:write", "counterparties:write"],
    input: Mapping,
    output: ImportAnswer,
    errors: ["not_found", "conflict"],
    run: checkImport,
  }),
  start: operation({
    summary: "Import the contracts, all or none",
    scopes: ["contracts:write", "counterparties:write"],
    input: z.strictObject({}),
    output: ImportAnswer,
    errors: ["not_found", "conflict"],
    run: startImport,
  }),
  discard: operation({
    summary: "Discard your import",
    scopes: ["contracts:write"],
    input: z.strictObject({}),
    errors: ["conflict"],
    run: discardImport,
  }),
};
