/**
 * Loaded first into each thread of a sandboxed program: takes every way to the network out of Node, and to the
 * sockets of other programs on this machine. Where the system can, it takes the network away as well
 * (lib/documents/sandbox/sandbox.ts); where not, this is all. `process.binding`, which would lead around it, the permission
 * model has closed.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import threads from "node:worker_threads";

function refuse(): never {
  throw new Error("This program has no network.");
}

/** All that goes over TCP, TLS, HTTP or a named pipe, fetch included, ends in these two. */
const doors: [object, string[]][] = [
  [net.Socket.prototype, ["connect"]],
  [net.Server.prototype, ["listen"]],
  [dgram.Socket.prototype, ["bind", "connect", "send"]],
  [dgram, ["createSocket"]],
  ...[dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype].map(
    (resolver): [object, string[]] => [resolver, namesIn(resolver)],
  ),
];

/** lookup, lookupService, resolve, resolve4, …, reverse. */
function namesIn(resolver: object): string[] {
  const names: string[] = [];
  for (let one: object | null = resolver; one && one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    names.push(...Object.getOwnPropertyNames(one));
  }
  return names.filter((name) => /^(lookup|resolve|reverse)/.test(name));
}

for (const [owner, names] of doors) {
  for (const name of names) {
    Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
  }
}

/** A thread begins as its process did, with this file, whatever it is told to begin with. */
class Thread extends threads.Worker {
  constructor(program: string | URL, { execArgv: _, ...options }: threads.WorkerOptions = {}) {
    super(program, options);
  }
}
Object.defineProperty(threads, "Worker", { value: Thread, writable: false, configurable: false });

syncBuiltinESMExports();
