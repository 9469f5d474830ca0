/**
 * A keep-alive HTTP/1.1 connection that does as little as possible, so that on a small machine the measured server gets
 * the processor and not the client. Both servers send a content-length with every response.
 */
import { connect, type Socket } from "node:net";

export interface Reply {
  status: number;
  /** Empty unless requested. */
  body: string;
}

export class Connection {
  #socket: Socket;
  #head: Buffer | undefined;
  #status = 0;
  #left = -1;
  #kept: Buffer[] | undefined;
  #answered: ((reply: Reply) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("The server closed the connection.")));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => resolve(new Connection(socket)));
      socket.once("error", reject);
    });
  }

  /** Sends one request; callers must wait for its reply before the next. */
  ask(request: string, keepBody = false): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.#kept = keepBody ? [] : undefined;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    let body = chunk;
    if (this.#left < 0) {
      const head = this.#head ? Buffer.concat([this.#head, chunk]) : chunk;
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) {
        this.#head = head;
        return;
      }
      this.#head = undefined;
      this.#readHead(head.toString("latin1", 0, end));
      body = head.subarray(end + 4);
    }
    this.#left -= body.length;
    this.#kept?.push(body);
    if (this.#left > 0) return;
    this.#left = -1;
    this.#answered?.({ status: this.#status, body: this.#kept ? Buffer.concat(this.#kept).toString() : "" });
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    const length = /\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined && this.#status !== 204)
      throw new Error(`An answer without its length:\n${head}`);
    this.#left = Number(length ?? 0);
  }
}

/** Returns the text of a request. */
export function requestText(method: string, path: string, key: string, body?: unknown): string {
  const head = `${method} /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: bench\r\nx-api-key: ${key}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const text = JSON.stringify(body);
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
