import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { revokeKey } from "./keys.ts";
import { createKey, listKeys } from "./listed.ts";
import {
  ApiKeyId,
  ApiKeyList,
  ApiKeyUsageList,
  ApiKeyWithSecret,
  Introspection,
  NewApiKey,
} from "./schema.ts";
import { readUsage } from "./usage.ts";

export const me = {
  read: operation({
    summary: "Get the key's workspace and scopes",
    scopes: [],
    input: z.object({}),
    output: Introspection,
    errors: [],
    worksUnpaid: true,
    run: async ({ organizationId, actor, scopes }) => ({
      organizationId,
      apiKey: { id: actor.id, name: actor.kind === "system" ? "" : actor.name, scopes },
    }),
  }),
};

export const apiKeys = {
  list: operation({
    summary: "List API keys",
    scopes: ["keys:read"],
    input: z.strictObject({}),
    output: ApiKeyList,
    errors: [],
    run: listKeys,
  }),
  usage: operation({
    summary: "Get an API key's usage in the last 30 days, by day",
    scopes: ["keys:read"],
    input: ApiKeyId,
    output: ApiKeyUsageList,
    errors: ["not_found"],
    run: readUsage,
  }),
  create: operation({
    summary: "Mint an API key",
    scopes: ["keys:write"],
    input: NewApiKey,
    output: ApiKeyWithSecret,
    status: 201,
    errors: ["conflict"],
    run: createKey,
  }),
  revoke: operation({
    summary: "Revoke an API key",
    scopes: ["keys:write"],
    input: ApiKeyId,
    errors: ["not_found"],
    run: async (ctx, { id }) => revokeKey(ctx, id),
  }),
};
