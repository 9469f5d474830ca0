/** The connections of outbound requests, opened here only: to addresses that were checked, and to no others. */
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { EgressRefused } from "./errors.ts";
import { inside, isPublic } from "./targets.ts";

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

export interface Rules {
  allowPrivate: boolean;
  /** A name's addresses, all of them. */
  resolve(name: string): Promise<string[]>;
}

export interface Connections {
  exchange(request: EgressRequest, signal: AbortSignal): Promise<Omit<EgressResponse, "durationMs">>;
}

export function openConnections(rules: Rules): Connections {
  const agent = new Agent({
    connect: connector(rules),
    keepAliveTimeout: 2_000,
    // So that a busy host's new address is noticed.
    maxRequestsPerClient: 100,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { exchange: (request, signal) => exchange(agent, request, signal) };
}

/** Opens a connection. One that is kept is used for the same host only. */
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

async function exchange(
  agent: Agent,
  request: EgressRequest,
  signal: AbortSignal,
): Promise<Omit<EgressResponse, "durationMs">> {
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
