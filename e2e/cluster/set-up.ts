/** What a cluster needs beyond other tests: haproxy, the built web app, and the previous version with its own. */
import { join } from "node:path";
import { buildIfStale } from "#lib/run/web/build.ts";
import { prepare } from "../prerequisites.ts";
import { root } from "../server.ts";
import { versionBefore } from "../version-before.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);

export default async function setUp(): Promise<() => Promise<void>> {
  await using closing = new AsyncDisposableStack();
  prepare({ haproxy: ["haproxy"] });
  await buildIfStale(root, say);
  process.env.NODE_COMPILE_CACHE = join(root, "node_modules", ".cache", "compiled");
  const before = await versionBefore(closing);
  if (before) process.env.VERSION_BEFORE = before;
  else
    say("Git's history does not reach back to a version with fewer migrations: none runs beside this one.");
  const toClose = closing.move();
  return () => toClose.disposeAsync();
}
