/** A webhook receiver on this machine: records the requests it gets, and responds as configured. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface Received {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as received; `event` is the parsed one. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a payload that it needs.
  event: any;
}

/** A status, with more where that matters. "hang" never responds, "drop" closes the connection. */
export type Reaction =
  | number
  | { status: number; headers?: Record<string, string>; body?: string | Uint8Array; afterMs?: number }
  | "hang"
  | "drop";

export interface Receiver {
  url: string;
  received: Received[];
  /** Returns the response to the nth request, counted from 0. */
  react: (request: Received, nth: number) => Reaction | Promise<Reaction>;
  close(): Promise<void>;
}

export async function startReceiver(react: Receiver["react"] = () => 204): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { headers, url: path = "" } = request;
    const received: Received = { at: Date.now(), path, headers, text, event: JSON.parse(text) };
    receiver.received.push(received);
    const reaction = await receiver.react(received, receiver.received.length - 1);
    if (reaction === "hang") return;
    if (reaction === "drop") return void request.socket.destroy();
    const answer = typeof reaction === "number" ? { status: reaction } : reaction;
    if (answer.afterMs) await new Promise((resolve) => setTimeout(resolve, answer.afterMs));
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    react,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Whether a request is signed with this secret, by the definition of Standard Webhooks, ignoring its timestamp. */
export function fits(secret: string, { headers, text }: Received): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
  const expected = `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  return String(headers["webhook-signature"]).split(" ").includes(expected);
}

/** Whether a request verifies, by the library of Standard Webhooks and by the definition; the two must agree. */
export function isSigned(secret: string, request: Received): boolean {
  const { headers, text } = request;
  const byDefinition = fits(secret, request);
  let byLibrary = true;
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
  } catch {
    byLibrary = false;
  }
  if (byDefinition !== byLibrary) throw new Error("The library and the definition do not agree.");
  return byLibrary;
}
