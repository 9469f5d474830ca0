/** What a cluster needs beyond what all tests do: haproxy, and the web app as it is built. */
import { join } from "node:path";
import { buildIfStale } from "#lib/run/web/build.ts";
import { prepare } from "../prerequisites.ts";
import { root } from "../server.ts";

export default async function setUp(): Promise<void> {
  prepare({ haproxy: ["haproxy"] });
  await buildIfStale(root, (line) => process.stdout.write(`${line}\n`));
  process.env.NODE_COMPILE_CACHE = join(root, "node_modules", ".cache", "compiled");
}
