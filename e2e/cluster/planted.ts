/** Slips that a cluster shows, each with what the checker calls what follows from it. */
import type { Mutant } from "../mutants/mutant.ts";
import type { Finding } from "./checker.ts";

export interface Planted extends Pick<Mutant, "slip" | "edits"> {
  /** One of these is found. */
  shows: Finding["kind"][];
}

export const planted: Planted[] = [
  {
    slip: "a change is answered before its commit",
    edits: [
      {
        file: "lib/core/change.ts",
        find: "const running = database().prisma.$transaction(",
        replace:
          "const told = Promise.withResolvers<T>();\n  const running = database().prisma.$transaction(",
      },
      {
        file: "lib/core/change.ts",
        find: "const result = await open.run(current, () => work(tx, recorderOf(ctx, current)));",
        replace: `const result = await open.run(current, () => work(tx, recorderOf(ctx, current)));
      told.resolve(result);`,
      },
      {
        file: "lib/core/change.ts",
        find: "return running.catch((error) => {",
        replace: "running.catch(told.reject);\n  return told.promise.catch((error) => {",
      },
    ],
    shows: ["stale read", "lost write"],
  },
  {
    slip: "a key that comes again takes effect again",
    edits: [
      {
        file: "lib/http/idempotency.ts",
        find: "if (before) return replay(before, fingerprint);",
        replace: "",
      },
      {
        file: "lib/http/idempotency.ts",
        find: "if (meanwhile) return replay(meanwhile, fingerprint);",
        replace: "",
      },
    ],
    shows: ["duplicate effect"],
  },
  {
    slip: "answers are cached without the workspace's number",
    edits: [
      {
        file: "lib/http/response-cache.ts",
        find: `\${ctx.organizationId} \${ctx.seq} \${day} \${question}`,
        replace: `\${ctx.organizationId} \${day} \${question}`,
      },
    ],
    shows: ["stale read"],
  },
  {
    slip: "a delivery is marked before it is sent",
    edits: [
      {
        file: "lib/webhooks/dispatch.ts",
        find: "this.#track(this.#settle(claim, endpoint, attempted));",
        replace: `const well = { statusCode: 204, durationMs: 0, error: null, responseBody: null, retryAfterSeconds: 0 };
      this.#track(this.#settle(claim, endpoint, Promise.resolve({ at: new Date(), ...well })));`,
      },
    ],
    shows: ["lost notice"],
  },
  {
    slip: "a delivery that failed is not tried again",
    edits: [
      {
        file: "lib/webhooks/outcome.ts",
        find: "delay: result.error === null ? null : delayOf(claim.attemptCount, result)",
        replace: "delay: null",
      },
    ],
    shows: ["lost notice"],
  },
  {
    slip: "each attempt of a delivery has another id",
    edits: [
      {
        file: "lib/webhooks/attempt.ts",
        find: '"webhook-id": id,',
        replace: `"webhook-id": \`\${id}\${performance.now()}\`,`,
      },
    ],
    shows: ["duplicate effect"],
  },
  {
    slip: "what a worker that is gone had claimed is never given back",
    edits: [
      {
        file: "lib/jobs/presence.ts",
        find: `WHERE claimed_by IS NOT NULL AND \${isGone("claimed_by")}`,
        replace: `WHERE claimed_by = 'no one' AND \${isGone("claimed_by")}`,
      },
    ],
    shows: ["unfinished work"],
  },
];
