/** Exports the spans of this process through OpenTelemetry. Loaded only if tracing is on. */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceAttributesEnvDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { settings } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { type Span, type SpanOptions, setTracer, type Trace } from "#lib/core/tracing/tracing.ts";
import { watchStatements } from "./statements.ts";

const kinds = { request: SpanKind.SERVER, job: SpanKind.CONSUMER, call: SpanKind.CLIENT };

/**
 * The current span. It is kept here instead of in OpenTelemetry's global API: with a global provider, Next would add
 * spans of its own with complete URLs, including keys.
 */
const current = new AsyncLocalStorage<Context>();

const propagator = new W3CTraceContextPropagator();

/** Starts recording spans. Returns a function that sends the remaining ones and stops. */
export function openSpans(): () => Promise<void> {
  logFailures();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      ...resourceAttributesEnvDetector.detect().attributes,
      "service.name": settings().OTEL_SERVICE_NAME,
    }),
    sampler: samplerOf(settings()),
    spanLimits: { attributeValueLengthLimit: 4_000 },
    // Buffers 2,048 spans, and drops further ones while the collector does not respond.
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer("countersign");
  setTracer(traceWith(tracer));
  const unwatch = watchStatements((text) => {
    const around = current.getStore();
    if (!around || !trace.getSpan(around)?.isRecording()) return undefined;
    const [verb = ""] = /^\w+/.exec(text.trimStart()) ?? [];
    const facts = { "db.system.name": "postgresql", "db.query.text": text };
    const span = tracer.startSpan(verb.toUpperCase(), { kind: SpanKind.CLIENT, attributes: facts }, around);
    return (isDone) => end(span, isDone);
  });
  return async () => {
    setTracer(undefined);
    unwatch();
    await provider.shutdown().catch(() => undefined);
  };
}

const traceWith =
  (tracer: Tracer): Trace =>
  async <T>(work: SpanOptions, run: (span?: Span) => Promise<T>): Promise<T> => {
    const around = current.getStore() ?? contextOf(work);
    const attributes = work.facts ?? {};
    const span = tracer.startSpan(work.name, { kind: kinds[work.kind], attributes }, around);
    let isDone = true;
    const told: Span = {
      rename: (name) => span.updateName(name),
      recordResponse(status, facts = {}) {
        span.setAttributes({ "http.response.status_code": status, ...facts });
        // A client's error (4xx) is not a failure of this server. For an outgoing call, 4xx and 5xx both are failures.
        isDone = status < (work.kind === "call" ? 400 : 500);
      },
    };
    try {
      return await current.run(trace.setSpan(around, span), () => run(told));
    } catch (error) {
      isDone = false;
      throw error;
    } finally {
      end(span, isDone);
    }
  };

/** Marks a failure without the error's message, which may quote user input. The log has the details. */
function end(span: OtelSpan, isDone: boolean): void {
  if (!isDone) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

const contextOf = ({ header }: SpanOptions): Context =>
  header
    ? propagator.extract(ROOT_CONTEXT, header, { get: (read, name) => read(name), keys: () => [] })
    : ROOT_CONTEXT;

function samplerOf({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: ReturnType<typeof settings>): Sampler {
  const [, isByParent, plain] = /^(parentbased_)?(.*)$/.exec(name)!;
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[plain!]!();
  return isByParent ? new ParentBasedSampler({ root }) : root;
}

const quietMs = 60_000;

/** Logs failures to export at most once a minute. */
function logFailures(): void {
  let told = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - told < quietMs) return;
    told = performance.now();
    const words = error instanceof Error ? error.message : String(error);
    log().warn({ error: words.slice(0, 300) }, "traces cannot be sent");
  });
}
