/** Requests that a browser's fetch would not send: another Host, another protocol, a body that never ends. */
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** Sends the headers and this part of a body, and then nothing. */
  unfinished?: string;
}

export function ask(url: string, { method = "GET", headers = {}, body, unfinished }: RawRequest = {}) {
  return new Promise<RawReply>((resolve, reject) => {
    const asked = request(url, { method, headers: { ...headers }, agent: false }, async (answer) => {
      const chunks = await answer.toArray().catch(() => []);
      asked.destroy();
      resolve({
        status: answer.statusCode!,
        headers: answer.headers,
        text: Buffer.concat(chunks).toString(),
      });
    });
    asked.on("error", reject);
    if (unfinished === undefined) asked.end(body);
    else {
      asked.flushHeaders();
      asked.write(unfinished);
    }
  });
}
