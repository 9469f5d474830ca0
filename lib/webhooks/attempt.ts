/** One attempt of a delivery: signs it according to Standard Webhooks, sends it and evaluates the response. */
import { Webhook } from "standardwebhooks";
import { clock } from "#lib/core/clock.ts";
import { unseal } from "#lib/core/encryption.ts";
import { settings } from "#lib/core/env.ts";
import { send } from "#lib/egress/egress.ts";
import { secretPurpose } from "./endpoints.ts";

/** The input of an attempt. The payload is sent unchanged, byte for byte. */
export interface AttemptInput {
  id: string;
  url: string;
  payload: string;
  /** Both secrets are sealed; the previous one is set only while it still signs as well. */
  secret: Uint8Array;
  previousSecret: Uint8Array | null;
}

export interface Result {
  at: Date;
  statusCode: number | null;
  durationMs: number;
  /** Null if the receiver accepted the delivery. */
  error: string | null;
  responseBody: string | null;
  /** How long the receiver asks to wait before the next attempt. 0 if it does not ask. */
  retryAfterSeconds: number;
}

const maxReadBytes = 16 * 1024;
const maxStoredBytes = 1024;

/** Makes one attempt. Returns a failure as a result; throws only if the attempt is aborted. */
export async function attempt(delivery: AttemptInput, signal: AbortSignal): Promise<Result> {
  const at = clock();
  const started = performance.now();
  try {
    const response = await send({
      url: delivery.url,
      method: "POST",
      headers: headersOf(delivery, at),
      body: delivery.payload,
      timeoutMs: settings().WEBHOOK_TIMEOUT_SECONDS * 1000,
      maxResponseBytes: maxReadBytes,
      signal,
    });
    const { status: statusCode, durationMs, body, headers } = response;
    return {
      ...{ at, statusCode, durationMs, error: problemOf(statusCode), responseBody: excerptOf(body) },
      retryAfterSeconds: [429, 503].includes(statusCode) ? retryAfter(headers["retry-after"], at) : 0,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    const durationMs = Math.round(performance.now() - started);
    const message = (error as Error).message.slice(0, 500);
    return { at, statusCode: null, durationMs, error: message, responseBody: null, retryAfterSeconds: 0 };
  }
}

/** The headers that are the same in all attempts of a delivery. */
export function constantHeaders(id: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Countersign-Webhooks",
    "webhook-id": id,
  };
}

function headersOf({ id, payload, secret, previousSecret }: AttemptInput, at: Date): Record<string, string> {
  const secrets = previousSecret ? [secret, previousSecret] : [secret];
  const signatures = secrets.map((sealed) =>
    new Webhook(unseal(sealed, secretPurpose)).sign(id, at, payload),
  );
  return {
    ...constantHeaders(id),
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `status ${status}: redirects are not followed`;
  return `status ${status}`;
}

/** The start of the response body, cut between two characters. NUL is replaced: PostgreSQL cannot store it. */
function excerptOf(body: string): string {
  const bytes = Buffer.from(body).subarray(0, maxStoredBytes);
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD");
}

const longestRetryAfter = 24 * 60 * 60;

/** The Retry-After header, a number of seconds or a date, as seconds from now: 0 to 24 hours. */
export function retryAfter(header: string | undefined, now: Date): number {
  if (!header) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), longestRetryAfter);
}
