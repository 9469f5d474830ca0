import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { isUnreachable } from "#components/connection.ts";
import { useOnce } from "#components/once.ts";
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

test("an action is sent again with the same key after a truncated response, and with a new key after a refusal", async () => {
  let once: ReturnType<typeof useOnce<object, unknown>> | undefined;
  const Page = () => {
    once = useOnce();
    return null;
  };
  renderToStaticMarkup(createElement(Page));
  const keys: string[] = [];
  const act = (answer: (response: ServerResponse) => void) =>
    once!({ title: "MSA" }, async (key) => {
      keys.push(key);
      const told = await toldOf(answer);
      if (told instanceof Error) throw told;
      return told;
    }).catch((error) => error);
  const truncated = (response: ServerResponse) => response.end(whole.slice(0, -5));
  for (const answer of [truncated, truncated]) expect(isUnreachable(await act(answer))).toBe(true);
  const refused = await act((response) => response.writeHead(422).end(refusal));
  expect(refused).toMatchObject({ code: "validation_error" });
  expect(await act((response) => response.end(whole))).toEqual(JSON.parse(whole));
  const [first, second, third, fourth] = keys;
  expect([second, third]).toEqual([first, first]);
  expect(fourth).not.toBe(first);
});
