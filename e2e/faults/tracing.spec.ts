/** What an OpenTelemetry trace collector receives, and what it does not. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { apiWith, expect, test } from "../fixtures.ts";
import { startServer } from "../server.ts";
import { uploadInstallation } from "../upload-installation.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** Receives spans at /v1/traces, as a collector does. */
async function openReceiver() {
  const spans: Span[] = [];
  const services = new Set<string | undefined>();
  let said = "";
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    said += text;
    if (request.url === "/v1/traces") {
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        const name = resource.attributes.find(({ key }: { key: string }) => key === "service.name");
        services.add(name?.value.stringValue);
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, services, said: () => said, close: () => server.close() };
}

const factOf = ({ attributes }: Span, name: string) => {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {};
  return stringValue ?? intValue;
};

test("traces cover requests, SQL and webhook calls, join the caller's trace, and contain no keys, IDs or user data", async () => {
  const installation = await uploadInstallation();
  const { key, ownerId, organizationId, environment } = installation;
  const receiver = await openReceiver();
  const server = await startServer({
    ...environment,
    WORKER: "inline",
    WEBHOOK_ALLOW_PRIVATE: "1",
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_SERVICE_NAME: "contracts",
  });
  try {
    const [traceId, spanId] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
    const headers = { traceparent: `00-${traceId}-${spanId}-01` };
    const api = apiWith(key, server.url);
    const made = await api("POST /webhook-endpoints", {
      body: { url: `${receiver.url}/secret-address`, events: ["contract.created"] },
    });
    expect(made.status, made.text).toBe(201);
    const body = { title: "Unspeakable title", type: "NDA", ourRole: "VENDOR", ownerId };
    expect((await api("POST /contracts", { body, headers })).status).toBe(201);
    await api("GET /contracts?q=unspeakable", { headers: { traceparent: `00-${traceId}-${spanId}-00` } });
    await api("GET /contracts/unspeakable", { headers: { traceparent: "nonsense" } });
    await fetch(`${server.url}/sign-in?next=unspeakable`);
    await expect.poll(receiver.said).toContain("Unspeakable title");
    const delivered = receiver.said();
    await server.stop();

    const { spans, services } = receiver;
    expect([...services]).toEqual(["contracts"]);
    const inTrace = spans.filter((span) => span.traceId === traceId);
    const [request] = inTrace.filter(({ parentSpanId }) => parentSpanId === spanId);
    expect(inTrace.filter(({ parentSpanId }) => parentSpanId === spanId)).toHaveLength(1);
    expect(request!.name).toBe("POST /contracts");
    expect(factOf(request!, "http.response.status_code")).toBe(201);
    const statements = inTrace.filter(({ parentSpanId }) => parentSpanId === request!.spanId);
    const texts = statements.map((span) => String(factOf(span, "db.query.text")));
    expect(
      texts.filter((text) => text.includes("INSERT INTO") && text.includes("$1")).length,
    ).toBeGreaterThan(0);
    const named = (name: string) => spans.filter((span) => span.name === name);
    expect(named("page").length).toBeGreaterThan(0);
    expect(named("GET /contracts")).toEqual([]);
    const [lost] = named("GET /contracts/{id}");
    expect(factOf(lost!, "http.response.status_code")).toBe(404);
    expect(lost!.parentSpanId ?? "").toBe("");
    const [call] = named("webhook");
    expect(factOf(call!, "http.response.status_code")).toBe(200);

    const told = JSON.stringify(spans);
    expect(delivered).toContain("Unspeakable title");
    for (const secret of [key, organizationId, ownerId, "nspeakable", "secret-address", "127.0.0.1"])
      expect(told).not.toContain(secret);
  } finally {
    await server.stop();
    receiver.close();
    await installation.close();
  }
});
