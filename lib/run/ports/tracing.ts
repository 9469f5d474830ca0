/** Tracing, if OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise none of its code is loaded. */
import { setTimeout as pause } from "node:timers/promises";
import { settings } from "#lib/core/env.ts";

export interface Tracing {
  /** Sends the remaining spans, waiting for 3 seconds at most. */
  close(): Promise<void>;
}

const lastWordsMs = 3_000;

export async function openTracing(): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED } = settings();
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined || OTEL_SDK_DISABLED) return { close: async () => undefined };
  const { openSpans } = await import("./spans.ts");
  const closeSpans = openSpans();
  return { close: () => Promise.race([closeSpans(), pause(lastWordsMs, undefined, { ref: false })]) };
}
