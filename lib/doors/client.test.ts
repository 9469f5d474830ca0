import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { isUnreachable } from "#components/connection.ts";
import { post } from "./client.ts";

/** What a page makes of a server's response. */
async function toldOf(answer: (response: ServerResponse) => void): Promise<unknown> {
  const server = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  try {
    return await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {}).catch(
      (error) => error,
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const whole = JSON.stringify({ contract: { id: "ctr_1" } });
const refusal = JSON.stringify({ error: { code: "validation_error", message: "No." } });

test("a truncated response counts as no response, and a complete refusal as a refusal", async () => {
  expect(await toldOf((response) => response.end(whole))).toEqual(JSON.parse(whole));
  for (const [status, text] of [
    [200, whole],
    [422, refusal],
  ] as const) {
    const brokenOff = await toldOf((response) => {
      response.writeHead(status, { "content-length": text.length });
      response.write(text.slice(0, -5), () => response.destroy());
    });
    expect(isUnreachable(brokenOff)).toBe(true);
  }
  expect(isUnreachable(await toldOf((response) => response.end(whole.slice(0, -5))))).toBe(true);
  const refused = await toldOf((response) => response.writeHead(422).end(refusal));
  expect(refused).toMatchObject({ code: "validation_error" });
  expect(isUnreachable(refused)).toBe(false);
});
