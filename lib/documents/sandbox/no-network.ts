/**
 * Loaded first in each thread of a sandboxed program: removes every way to the network, and to the sockets of other
 * programs on this machine, from Node. Where the system can, it removes the network too
 * (lib/documents/sandbox/sandbox.ts); elsewhere this is the only barrier. `process.binding`, which would bypass it,
 * is disabled by the permission model.
 */
import dgram from "node:dgram";
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import threads from "node:worker_threads";

function refuse(): never {
  throw new Error("This program has no network.");
}

/** Everything over TCP, TLS, HTTP or a named pipe, fetch included, ends in these two. */
const networkMethods: [object, string[]][] = [
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

for (const [owner, names] of networkMethods) {
  for (const name of names) {
    Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
  }
}

/** A thread starts with this file, as its process did, whatever it is told to start with. */
class Thread extends threads.Worker {
  constructor(program: string | URL, { execArgv: _, ...options }: threads.WorkerOptions = {}) {
    super(program, options);
  }
}
Object.defineProperty(threads, "Worker", { value: Thread, writable: false, configurable: false });

syncBuiltinESMExports();
