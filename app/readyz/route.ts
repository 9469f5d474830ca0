import { product } from "#lib/doors/product.ts";

export const dynamic = "force-dynamic";

/** Readiness: 200 if the server can handle requests, otherwise 503 with the failed checks. */
export async function GET(): Promise<Response> {
  const checks = await product().checkHealth();
  const ready = Object.values(checks).every((check) => check.ok);
  return Response.json(
    { status: ready ? "ready" : "unavailable", checks },
    { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
