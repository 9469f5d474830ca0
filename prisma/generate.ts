/**
 * `npm run generate`: writes the database client (prisma/generated) from schema.prisma, with the two packages that
 * Prisma's command line uses for it. The command line itself also brings a studio and a development database: it is
 * three times as large, and nothing here uses it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

// As published, their ES module exports cannot be loaded.
const require = createRequire(import.meta.url);
const { getGenerators, loadSchemaContext }: typeof import("@prisma/internals") = require("@prisma/internals");
const {
  PrismaClientTsGenerator,
}: typeof import("@prisma/client-generator-ts") = require("@prisma/client-generator-ts");

const schema = join(import.meta.dirname, "schema.prisma");
const [generator] = await getGenerators({
  schemaContext: await loadSchemaContext({
    schemaPath: { cliProvidedPath: schema },
    printLoadMessage: false,
  }),
  registry: { "prisma-client": { type: "in-process", generator: new PrismaClientTsGenerator() } },
  skipDownload: true,
  cliCommand: "generate",
});
if (!generator) throw new Error(`${schema} names no generator.`);
await generator.generate();
generator.stop();
