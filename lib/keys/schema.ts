import { z } from "zod";
import { clock } from "#lib/core/clock.ts";
import { type Preset, presets, scopes } from "#lib/core/scopes.ts";
import { choice, idOut, name, pathId, timestamp, timestampIn } from "#lib/core/wire.ts";

export const Introspection = z
  .object({
    organizationId: idOut("organization"),
    apiKey: z.object({ id: idOut("apiKey"), name: z.string(), scopes: z.array(z.enum(scopes)) }),
  })
  .meta({ id: "Introspection", description: "The workspace and the scopes of the calling key." });

export const presetNames = Object.keys(presets) as [Preset, ...Preset[]];

/** A key as the settings show it, without its secret. */
export const ApiKey = z.object({
  id: idOut("apiKey"),
  name: z.string(),
  publicId: z.string().meta({ description: "The eight characters after csk_" }),
  preset: z.enum(presetNames).nullable().meta({ description: "Null if the scopes match no preset" }),
  scopes: z.array(z.enum(scopes)),
  status: z.enum(["active", "expired", "revoked"]),
  createdBy: z.object({ id: idOut("user"), name: z.string() }).nullable(),
  expiresAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable().meta({ description: "To the minute" }),
  revokedAt: timestamp.nullable(),
  createdAt: timestamp,
});
export type ApiKey = z.output<typeof ApiKey>;

export const ApiKeyList = z.object({ data: z.array(ApiKey) });
export const ApiKeyId = z.strictObject({ id: pathId("apiKey") });

/** The calls of a key to one operation on one day. */
export const ApiKeyUsage = z.object({
  day: z.iso.date(),
  operation: z.string().meta({ description: "Method and path, as the API describes them" }),
  calls: z.int(),
  refused: z.int().meta({ description: "Of the calls, those answered with an error" }),
});
export type ApiKeyUsage = z.output<typeof ApiKeyUsage>;

export const ApiKeyUsageList = z.object({ data: z.array(ApiKeyUsage) });

export const NewApiKey = z.strictObject({
  name,
  preset: choice(presetNames),
  expiresAt: timestampIn
    .refine((date) => date > clock(), { error: "must be in the future" })
    .nullable()
    .optional(),
});
export type NewApiKey = z.output<typeof NewApiKey>;

export const ApiKeyWithSecret = z.object({
  apiKey: ApiKey,
  secret: z.string().meta({ description: "The key itself, returned only once" }),
});
