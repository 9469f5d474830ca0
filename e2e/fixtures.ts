/** Test fixtures: a workspace for each test, created through the domain, and a client for the API. */
import "#lib/events/listen.ts";
import "./strict.ts";
import { randomUUID } from "node:crypto";
import { test as base, expect } from "@playwright/test";
import { type Context, systemContext } from "#lib/core/context.ts";
import { disconnect } from "#lib/core/db.ts";
import type { Preset } from "#lib/core/scopes.ts";
import { insertKey } from "#lib/keys/keys.ts";
import { insertWorkspace } from "#lib/people/members/workspaces.ts";
import { accountOf } from "./accounts.ts";

// biome-ignore lint/suspicious/noExplicitAny: each test checks the parts of a response that it needs.
type Json = any;

export interface Reply {
  status: number;
  headers: Headers;
  /** The parsed body, or null if it is empty. */
  body: Json;
  text: string;
}

export interface Asking {
  body?: unknown;
  /** A body that is sent as is, not as JSON. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
  /** Null sends no key. */
  key?: string | null;
}

export type Api = (request: `${string} /${string}`, asking?: Asking) => Promise<Reply>;

/** Returns a client that calls `METHOD /path` below /api/v1. */
export function apiWith(key: string, url = process.env.BASE_URL): Api {
  return async (request, asking = {}) => {
    const [method, path] = request.split(" ") as [string, string];
    const headers: Record<string, string> = { ...asking.headers };
    headers["accept-encoding"] ??= "identity";
    if (asking.key !== null) headers["x-api-key"] = asking.key ?? key;
    const body = asking.raw ?? (asking.body === undefined ? undefined : JSON.stringify(asking.body));
    if (body !== undefined) headers["content-type"] ??= "application/json";
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: body as BodyInit });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : null };
  };
}

export interface Workspace {
  organizationId: string;
  ownerId: string;
  key: string;
  keyId: string;
  api: Api;
  ctx: Context;
  /** Creates another key for the same workspace. */
  mint(preset: Preset, options?: { expiresAt?: Date }): Promise<{ id: string; key: string }>;
  /** Creates a contract with the required fields, or with more. */
  contract(fields?: Record<string, unknown>): Promise<Json>;
}

export async function newWorkspace(): Promise<Workspace> {
  const email = `owner-${randomUUID()}@test.example`;
  const owner = await accountOf({ email, name: "Olive Owner" });
  const { organizationId, userId } = await insertWorkspace({ name: "Test workspace", owner }, (id) =>
    systemContext(id, "operator"),
  );
  const ctx = systemContext(organizationId, "test");
  const mint: Workspace["mint"] = (preset, options) =>
    insertKey(ctx, { name: `Test ${preset}`, preset, ...options });
  const { key, id } = await mint("full_access");
  const api = apiWith(key);
  return {
    organizationId,
    ownerId: userId,
    key,
    keyId: id,
    api,
    ctx,
    mint,
    async contract(fields = {}) {
      const made = await api("POST /contracts", {
        body: { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId: userId, ...fields },
      });
      expect(made.status, made.text).toBe(201);
      return made.body.contract;
    },
  };
}

export const test = base.extend<{ workspace: Workspace; other: Workspace }, { connection: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  workspace: async ({}, use) => use(await newWorkspace()),
  /** A second workspace, for what must not be visible. */
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  other: async ({}, use) => use(await newWorkspace()),
  connection: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      await use(undefined);
      await disconnect();
    },
    { scope: "worker", auto: true },
  ],
});

export { expect };
