/** `npm run build`: only the web build, if it is made before the start, such as in an image. */
import { join } from "node:path";
import { buildIfStale } from "./build.ts";

await buildIfStale(join(import.meta.dirname, "..", "..", ".."), (line) =>
  process.stderr.write(`countersign: ${line}\n`),
);
