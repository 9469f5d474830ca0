/** `npm run build`: builds only the web app, to have it before the start, such as in an image. */
import { join } from "node:path";
import { buildIfStale } from "./build.ts";

await buildIfStale(join(import.meta.dirname, "..", "..", ".."), (line) =>
  process.stderr.write(`countersign: ${line}\n`),
);
