/**
 * Every outbound HTTP request. Where it goes is chosen by people who are not trusted with this network: so
 * the name is resolved once, every address is checked, and the connection goes to a checked address only.
 */
import { promises as dns } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import ip from "ipaddr.js";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { settings } from "#lib/core/env.ts";
import { traced } from "#lib/core/tracing/tracing.ts";
import { connectionError, EgressRefused } from "./errors.ts";

export { EgressRefused };

export interface EgressRequest {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** Over everything: resolving, connecting, TLS, headers, body. */
  timeoutMs: number;
  /** What is left of the body after this many bytes is dropped unread. */
  maxResponseBytes: number;
  signal?: AbortSignal;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The body as it came. */
  bytes: Buffer;
  durationMs: number;
}

interface Rules {
  allowPrivate: boolean;
  /** A name's addresses, all of them. */
  resolve(name: string): Promise<string[]>;
}

export interface Egress {
  /** Sends; follows no redirect, asks no proxy. Throws an Error whose message can be shown. */
  send(request: EgressRequest): Promise<EgressResponse>;
  /** Why a URL cannot be a target, as far as it tells by itself; null where it may. */
  checkTarget(url: string): string | null;
}

const inside = "must not lead to this machine or to a private network";

export function createEgress(rules: Rules): Egress {
  const agent = new Agent({
    connect: connector(rules),
    keepAliveTimeout: 2_000,
    // So that a busy host's new address is noticed.
    maxRequestsPerClient: 100,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const checkTarget = (url: string) => problemOf(url, rules.allowPrivate);
  return {
    checkTarget,
    async send(request) {
      const problem = checkTarget(request.url);
      if (problem) throw new EgressRefused(problem);
      return timed(request, (signal) => exchange(agent, request, signal));
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
  return traced({ kind: "call", name, facts }, async (span) => {
    const response = await egress.send(request);
    span?.answered(response.status);
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

/** The URL parser has made every notation of an IPv4 address (2130706433, 0x7f.1, 127.1) the usual one. */
function problemOf(url: string, allowPrivate: boolean): string | null {
  const target = URL.parse(url);
  if (!target) return "must be a URL";
  const { protocol, username, password, port, hostname } = target;
  if (protocol !== "https:" && !(allowPrivate && protocol === "http:")) {
    return `must be a URL that starts with https://${allowPrivate ? " or http://" : ""}`;
  }
  if (username || password) return "must not contain a user name or a password";
  if (port === "0") return "must not have the port 0";
  return allowPrivate || isOutside(hostname.replace(/^\[|\]$/g, "")) ? null : inside;
}

/** Names that never lead outside, whatever a resolver says: RFC 6761, 6762, 8375 and ICANN's .internal. */
const insideName = /(^|\.)(localhost|local|internal|home\.arpa)\.*$/i;

/** Of a name that may lead outside, its addresses tell. */
function isOutside(host: string): boolean {
  return isIP(host) ? isPublic(host) : !insideName.test(host);
}

const globalUnicast = ip.IPv6.parseCIDR("2000::/3");
const nat64 = ip.IPv6.parseCIDR("64:ff9b::/96");

function isPublic(address: string): boolean {
  if (!ip.isValid(address)) return false;
  const parsed = ip.parse(address);
  if (parsed instanceof ip.IPv4) return parsed.range() === "unicast";
  // In a network without IPv4, DNS64 answers with this for every name that has IPv4 only.
  if (parsed.match(nat64)) return new ip.IPv4(parsed.toByteArray().slice(12)).range() === "unicast";
  return parsed.range() === "unicast" && parsed.match(globalUnicast);
}

/** Opens connections, the only place that does. A connection that is kept is used for the same host only. */
function connector({ allowPrivate, resolve }: Rules): buildConnector.connector {
  const connect = buildConnector({
    lookup: checkedLookup(resolve, (address) => allowPrivate || isPublic(address)),
    // NODE_TLS_REJECT_UNAUTHORIZED=0 must not reach this far.
    rejectUnauthorized: true,
    allowH2: false,
    timeout: 20_000,
  });
  return (options, callback) => {
    // An address in the place of a name is never looked up.
    const refused = isIP(options.hostname) !== 0 && !allowPrivate && !isPublic(options.hostname);
    if (refused) return callback(new EgressRefused(inside), null);
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      if (allowPrivate || isPublic((socket as Socket).remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(new EgressRefused(inside), null);
    });
  };
}

/** Answers with addresses only if all are fine: one that is not may be the next to be tried. */
function checkedLookup(resolve: Rules["resolve"], isFine: (address: string) => boolean): LookupFunction {
  return (name, { all }, done) => {
    resolve(name)
      .then((addresses) => {
        if (!addresses.every(isFine)) throw new EgressRefused(inside);
        return addresses.map((address) => ({ address, family: isIP(address) }));
      })
      .then(
        (found) => (all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)),
        (error) => done(error, []),
      );
  };
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

async function exchange(agent: Agent, request: EgressRequest, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(request.url);
  const { method, headers, body = null, maxResponseBytes } = request;
  const response = await agent.request({ origin, path: pathname + search, method, headers, body, signal });
  const bytes = await readStart(response.body, maxResponseBytes);
  return {
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    body: bytes.toString("utf8"),
    bytes,
  };
}

/** The first bytes. Destroying what is left closes the connection, which is cheaper than reading on. */
async function readStart(body: Dispatcher.ResponseData["body"], maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  body.on("error", () => undefined);
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
