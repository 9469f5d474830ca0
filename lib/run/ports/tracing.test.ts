import { expect, test } from "@playwright/test";
import { provideSettings } from "#lib/core/env.ts";
import { withSpan } from "#lib/core/tracing/tracing.ts";
import { openTracing } from "./tracing.ts";

const isTraced = () => withSpan({ kind: "call", name: "A call" }, async (span) => span !== undefined);

test("with an OTLP endpoint set, only OTEL_SDK_DISABLED=true, in any letter case, turns tracing off", async () => {
  const rows = [
    ["true", false],
    ["TRUE", false],
    ["false", true],
    ["1", true],
  ] as const;
  for (const [said, wanted] of rows) {
    // None is taken down, so that none is left to send.
    provideSettings({ OTEL_TRACES_SAMPLER: "always_off", OTEL_SDK_DISABLED: said });
    provideSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    const tracing = await openTracing();
    expect(await isTraced(), said).toBe(wanted);
    await tracing.close();
  }
});
