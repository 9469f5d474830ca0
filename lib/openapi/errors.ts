/** How operations refuse, for the API description. */
import { z } from "zod";
import { type ErrorCode, type PublicErrorCode, publicStatusOf } from "#lib/core/errors.ts";
import type { AnyOperation } from "#lib/core/operation.ts";
import { type Json, json, rateLimitHeaders, reference, references } from "./parts.ts";
import { meaningOf } from "./words.ts";

const codes = Object.keys(publicStatusOf) as PublicErrorCode[];

export const ErrorAnswer = z
  .object({
    error: z.object({
      code: z.enum(codes).meta({ description: "For programs: a stable code to branch on" }),
      message: z.string().meta({ description: "For people: what is wrong, and what to do" }),
      details: z
        .object({
          issues: z.array(
            z.object({
              path: z.string().meta({
                description: 'The field, dotted, an array index as a number; "" is the whole body',
                example: "events.0",
              }),
              message: z.string().meta({ example: "is required" }),
            }),
          ),
        })
        .nullable()
        .meta({ description: "Null except for validation_error" }),
    }),
  })
  .meta({ id: "Error" });

/** All that an operation can refuse with: its own codes, and those of the machine that runs it. */
export function codesOf(method: string, path: string, operation: AnyOperation): ErrorCode[] {
  const sendsBody = method !== "get" && method !== "delete";
  const changes = method === "patch" || method === "put";
  const when = (condition: boolean, ...some: ErrorCode[]) => (condition ? some : []);
  return [
    ...operation.errors,
    ...when(sendsBody, "invalid_body", "file_too_large", "unsupported_media_type"),
    ...when(sendsBody || Object.keys(operation.input.shape).length > 0, "validation_error"),
    ...when(method === "post", "idempotency_key_reused", "idempotency_in_progress"),
    ...when(changes, "precondition_failed"),
    ...when(path.includes("{"), "not_found"),
    ...when(operation.scopes.length > 0, "insufficient_scope"),
    ...when(!operation.worksUnpaid, "subscription_inactive"),
    "missing_api_key",
    "invalid_api_key",
    "rate_limited",
    "internal_error",
    "unavailable",
  ];
}

/** A response for each status among the codes. `components` keeps them: most are many operations'. */
export function refusals(refused: readonly ErrorCode[], components: Json): Json {
  const byStatus = Object.groupBy(
    codes.filter((code) => refused.includes(code)),
    (code) => publicStatusOf[code],
  );
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, together]) => {
      const name = together.map(pascal).join("Or");
      components[name] ??= response(Number(status), together);
      return [status, reference("responses", name)];
    }),
  );
}

const pascal = (code: string) => code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

function response(status: number, together: PublicErrorCode[]) {
  const limited = status !== 401 && status < 500;
  const names = [
    "X-Request-Id",
    ...(status === 429 ? ["Retry-After"] : []),
    ...(limited ? rateLimitHeaders : []),
  ];
  return {
    description: together.map((code) => `\`${code}\`: ${meaningOf[code]}`).join("\n\n"),
    headers: references("headers", names),
    content: json({
      schema: reference("schemas", "Error"),
      examples: Object.fromEntries(together.map((code) => [code, { value: exampleOfError(code) }])),
    }),
  };
}

function exampleOfError(code: PublicErrorCode): z.output<typeof ErrorAnswer> {
  const issues = [{ path: "title", message: "is required" }];
  const details = code === "validation_error" ? { issues } : null;
  return { error: { code, message: meaningOf[code], details } };
}
