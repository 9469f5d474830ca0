/**
 * Every outbound HTTP request. Where it goes is chosen by people who are not trusted with this network: so
 * the name is resolved once, every address is checked, and the connection goes to a checked address only.
 */
import { promises as dns } from "node:dns";
import { settings } from "#lib/core/env.ts";
import { withSpan } from "#lib/core/tracing/tracing.ts";
import type { Connections, EgressRequest, EgressResponse, Rules } from "./connections.ts";
import { connectionError, EgressRefused } from "./errors.ts";
import { problemOf } from "./targets.ts";

export { EgressRefused, type EgressRequest };

export interface Egress {
  /** Sends; follows no redirect, asks no proxy. Throws an Error whose message can be shown. */
  send(request: EgressRequest): Promise<EgressResponse>;
  /** Why a URL cannot be a target, as far as it tells by itself; null where it may. */
  checkTarget(url: string): string | null;
}

export function createEgress(rules: Rules): Egress {
  let connections: Promise<Connections> | undefined;
  // The client for HTTP is a hundred files: read when the first request is sent.
  const connect = async () => (await import("./connections.ts")).openConnections(rules);
  const checkTarget = (url: string) => problemOf(url, rules.allowPrivate);
  return {
    checkTarget,
    async send(request) {
      const problem = checkTarget(request.url);
      if (problem) throw new EgressRefused(problem);
      return timed(request, async (signal) => {
        connections ??= connect();
        return (await connections).exchange(request, signal);
      });
    },
  };
}

let standard: Egress | undefined;

/** The one that the settings describe. */
function egress(): Egress {
  const allowPrivate = settings().WEBHOOK_ALLOW_PRIVATE;
  standard ??= createEgress({ allowPrivate, resolve: allowPrivate ? resolveAsThisMachine : resolvePublicly });
  return standard;
}

/** As a span of a trace: named by whom it is for. An address that people chose may be a secret. */
function sendAs(name: string, egress: Egress, request: EgressRequest): Promise<EgressResponse> {
  const facts = { "http.request.method": request.method };
  return withSpan({ kind: "call", name, facts }, async (span) => {
    const response = await egress.send(request);
    span?.recordResponse(response.status);
    return response;
  });
}

export const send: Egress["send"] = (request) => sendAs("webhook", egress(), request);

export const checkTarget: Egress["checkTarget"] = (url) => egress().checkTarget(url);

let strict: Egress | undefined;

/** For an address that anyone may name, without signing in: never inside, whatever the settings allow members. */
export const sendForStranger: Egress["send"] = (request) => {
  strict ??= createEgress({ allowPrivate: false, resolve: resolvePublicly });
  return sendAs("a client's own description", strict, request);
};

let trusted: Egress | undefined;

/** For an address that the operator set, which may well lie inside: never for one that came from elsewhere. */
export const sendForOperator: Egress["send"] = (request) => {
  trusted ??= createEgress({ allowPrivate: true, resolve: resolveAsThisMachine });
  return sendAs(URL.parse(request.url)?.host ?? "none", trusted, request);
};

/** Names as this machine knows them, with /etc/hosts: for who may reach its network anyway. */
async function resolveAsThisMachine(name: string): Promise<string[]> {
  return (await dns.lookup(name, { all: true })).map(({ address }) => address);
}

/**
 * Names as DNS knows them. Not getaddrinfo: it holds one of a few threads until it has its answer, and a
 * name server that never answers would hold up everyone's requests.
 */
async function resolvePublicly(name: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
  return addresses;
}

/** Ends the work when the time is up, also where it does not listen to the signal. */
async function timed(
  { timeoutMs, signal }: EgressRequest,
  work: (signal: AbortSignal) => Promise<Omit<EgressResponse, "durationMs">>,
): Promise<EgressResponse> {
  const started = performance.now();
  const over = new AbortController();
  const stop = () => over.abort(signal?.reason);
  const timer = setTimeout(() => over.abort(tooSlow(timeoutMs)), timeoutMs);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  const ended = new Promise<never>((_, reject) => {
    if (over.signal.aborted) reject(over.signal.reason);
    over.signal.addEventListener("abort", () => reject(over.signal.reason), { once: true });
  });
  try {
    const response = await Promise.race([work(over.signal), ended]);
    return { ...response, durationMs: Math.round(performance.now() - started) };
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : connectionError(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

const tooSlow = (timeoutMs: number) => new Error(`time-out after ${timeoutMs / 1000} s`);
