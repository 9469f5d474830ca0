import { expect, test } from "@playwright/test";
import { provideSettings } from "#lib/core/env.ts";
import type { ApiRequest } from "#lib/http/exchange.ts";
import { handleAssistantRequest } from "./assistant.ts";

const request: ApiRequest = {
  method: "POST",
  url: "/mcp",
  ip: null,
  header: (name) => (name === "host" ? "localhost:3000" : undefined),
  // biome-ignore lint/correctness/useYield: a body that no one may read.
  async *chunks() {
    throw new Error("The body was read.");
  },
  gone: () => new AbortController().signal,
};

test("with ASSISTANT=off, /mcp answers 404 without asking for credentials", async () => {
  provideSettings({ ASSISTANT: "off" });
  try {
    const { status, body } = await handleAssistantRequest(request);
    expect([status, JSON.parse(String(body)).error.code]).toEqual([404, "not_found"]);
  } finally {
    provideSettings({ ASSISTANT: "on" });
  }
  expect((await handleAssistantRequest(request)).status).toBe(401);
});

test("a request to /mcp for another host is refused before its body is read", async () => {
  const header = (name: string) => (name === "host" ? "rebound.example" : undefined);
  expect((await handleAssistantRequest({ ...request, header })).status).toBe(403);
});
