/**
 * Listens on the port from the beginning of the start. Until the server is ready, browsers get a page that shows what
 * is still being prepared and reloads itself. Other clients get 503 with Retry-After.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { drain, listen } from "./ports/listening.ts";
import { pageHeaders, startingPage } from "./starting-page.ts";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** What a start prepares, as shown to people. */
const parts = {
  database: "the database",
  webApp: "the web app",
  demo: "the demo workspace",
  server: "the server",
} as const;

export type Part = keyof typeof parts;

const retryAfterSeconds = 2;

export class Entrance {
  readonly server: Server;
  readonly #making = new Set<Part>();
  #handle: Handle = (request, response) => this.answerStarting(request, response);
  #handleExpecting = this.#handle;

  constructor() {
    // No other protocol is supported: a request to upgrade is answered as an ordinary request.
    this.server = createServer({ shouldUpgradeCallback: () => false }, (request, response) =>
      this.#handle(request, response),
    );
    // A client that is rejected need not send its body of up to 50 MB.
    this.server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
      this.#handleExpecting(request, response),
    );
    this.server.keepAliveTimeout = 65_000;
  }

  open(port: number, host: string): Promise<void> {
    return listen(this.server, port, host);
  }

  /** Lists `part` as being prepared until `work` settles. */
  async making<T>(part: Part, work: Promise<T>): Promise<T> {
    this.#making.add(part);
    try {
      return await work;
    } finally {
      this.#making.delete(part);
    }
  }

  /** Passes all further requests to these handlers. `handleExpecting` itself tells clients when to send the body. */
  handOver(handle: Handle, handleExpecting: Handle): void {
    this.#handle = handle;
    this.#handleExpecting = handleExpecting;
  }

  answerStarting(request: IncomingMessage, response: ServerResponse): void {
    const [path] = request.url?.split("?") ?? [];
    if (path === "/livez") {
      send(response, 200, { status: "live" });
      return;
    }
    const making = [...this.#making].map((part) => parts[part]);
    // Does not wait for a body that is still being sent.
    response.shouldKeepAlive = false;
    response.setHeader("retry-after", retryAfterSeconds);
    response.setHeader("x-request-id", randomUUID());
    if (path === "/readyz") send(response, 503, { status: "starting", making });
    else if (wantsPage(request)) sendPage(request, response, making);
    else {
      const message = `${startingSentence(making)} Try again in a few seconds.`;
      send(response, 503, { error: { code: "unavailable", message, details: null } });
    }
  }

  close(): Promise<void> {
    return drain(this.server);
  }
}

const startingSentence = (making: string[]): string =>
  making.length > 0
    ? `Countersign is starting: ${new Intl.ListFormat("en").format(making)} ${making.length > 1 ? "are" : "is"} still being prepared.`
    : "Countersign is starting.";

const wantsPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") && /\btext\/html\b/.test(headers.accept ?? "");

function sendPage({ method }: IncomingMessage, response: ServerResponse, making: string[]): void {
  response.writeHead(503, pageHeaders).end(method === "HEAD" ? undefined : startingPage(making));
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) }).end(text);
}
