/** Slips around who comes in, what they can send, and what they are told when something is away. */
import type { Mutant } from "./mutant.ts";

const bodies = "e2e/attacks/bodies.spec.ts";
const hosts = "e2e/attacks/hosts.spec.ts";
const lockOut = "e2e/attacks/lock-out.spec.ts";

export const doors: Mutant[] = [
  {
    slip: "what the server listens on does not count for whether strangers may sign up",
    edits: [
      {
        file: "lib/core/env.ts",
        find: "isLoopback(rest.HOST) && isLoopback(new URL(BASE_URL).hostname)",
        replace: "isLoopback(new URL(BASE_URL).hostname)",
      },
    ],
    caughtBy: {
      file: "lib/core/env.test.ts",
      title:
        "sign-up and private webhook targets are off by default if HOST or BASE_URL lets others reach the server",
    },
  },
  {
    slip: "a body has a temporary file for each time that it names one",
    edits: [
      { file: "lib/http/input-json.ts", find: "if (files.length > 0) throw twice(field);", replace: "" },
    ],
    caughtBy: {
      file: bodies,
      title: "a body that contains the same file twice is refused, and creates at most one temporary file",
    },
    pages: true,
  },
  {
    slip: "a signer's body is read before anyone looks whether it is a signer",
    edits: [
      {
        file: "lib/doors/signer.ts",
        find: 'admit: async (caller) => ({ ctx: await admitSigner(caller, caller.header("x-signer-id") ?? "") }),',
        replace: `admit: async (caller) => ({ ctx: visitOf(caller) as Context }),
  admitInput: (_ctx, _input, { caller }) => admitSigner(caller, caller.header("x-signer-id") ?? ""),`,
      },
    ],
    caughtBy: {
      file: bodies,
      title:
        "an unauthorized upload by API key, session, signing link or assistant is refused before its body is read",
    },
    pages: true,
  },
  {
    slip: "every mistake of a body is named",
    edits: [{ file: "lib/core/errors.ts", find: "all.slice(0, maxIssues)", replace: "all" }],
    caughtBy: {
      file: bodies,
      title: "a validation error lists at most 100 problems and counts the rest",
    },
  },
  {
    slip: "signers are not limited",
    edits: [
      {
        file: "lib/doors/signer.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what stands there.
        find: "limitBefore: ({ ip }) => `signer ${networkOf(ip)}`,",
        replace: "",
      },
    ],
    caughtBy: {
      file: "e2e/attacks/limits.spec.ts",
      title:
        "exceeded limits are 429 with Retry-After in API, web app, signing page, assistant server and OAuth, whichever is used first",
    },
    pages: true,
  },
  {
    slip: "a refusal is told by its class, of which pages have their own",
    edits: [
      {
        file: "lib/core/errors.ts",
        find: 'return value instanceof Error && value.name === "Refusal";',
        replace: "return Function.prototype[Symbol.hasInstance].call(Refusal, value);",
      },
    ],
    caughtBy: {
      file: "lib/core/connections/outage.test.ts",
      title: "an error with a Refusal's name and code is a Refusal, even from another copy of the class",
    },
  },
  {
    slip: "pages are shown under any name",
    edits: [
      {
        file: "proxy.ts",
        find: 'if (!isOwnHost(request.headers.get("host") ?? undefined))',
        replace: "if (false)",
      },
    ],
    caughtBy: {
      file: hosts,
      title: "under a foreign host name, no page is served and no cookie is accepted",
    },
    pages: true,
  },
  {
    slip: "cookies count under any name",
    edits: [
      {
        file: "lib/http/host.ts",
        find: 'if (!isOwnHost(header("host"))) throw',
        replace: 'if (header("host") === undefined) throw',
      },
    ],
    caughtBy: {
      file: hosts,
      title: "under a foreign host name, no page is served and no cookie is accepted",
    },
    pages: true,
  },
  {
    slip: "what stands in X-Forwarded-For need not be an address",
    edits: [
      {
        file: "lib/http/proxy.ts",
        find: "return isIP(hop) ? hop : direct;",
        replace: "return hop || direct;",
      },
    ],
    caughtBy: { file: hosts, title: "an X-Forwarded-For entry is used only if it is a valid IP address" },
    pages: true,
  },
  {
    slip: "a known device shares the tries of its account",
    edits: [
      {
        file: "lib/people/accounts/throttle.ts",
        find: "return session?.id ?? knownDevice(device ?? null, account, now);",
        replace: "return null;",
      },
    ],
    caughtBy: {
      file: lockOut,
      title:
        "password guesses from elsewhere never lock an owner out of a device they have signed in on before",
    },
    pages: true,
  },
  {
    slip: "a device's token counts for any account",
    edits: [
      {
        file: "lib/people/accounts/devices.ts",
        find: "JSON.stringify([email.trim().toLowerCase(), since, id])",
        replace: "JSON.stringify([email.length > 0, since, id])",
      },
    ],
    caughtBy: {
      file: lockOut,
      title: "another account's device token, replayed or altered, does not bypass the lockout",
    },
    pages: true,
  },
  {
    slip: "a database that goes down is a mistake of ours",
    edits: [{ file: "lib/core/connections/outage.ts", find: "|57P0\\w", replace: "" }],
    caughtBy: {
      file: "lib/core/connections/outage.test.ts",
      title:
        "an unreachable, stopping or full database is recognized as an outage, whichever layer reports it",
    },
  },
  {
    slip: "a failed write is said to have changed nothing, whatever is known",
    edits: [
      {
        file: "lib/core/execute.ts",
        find: "return onlyReads(operation) ? run() : trackEffect(run);",
        replace: "return run();",
      },
      {
        file: "lib/http/write.ts",
        find: "return await trackEffect(() => once(ctx, keyed, effect));",
        replace: "return await once(ctx, keyed, effect);",
      },
    ],
    caughtBy: {
      file: "e2e/faults/outages.spec.ts",
      title:
        "when the database dies, the API and the web app return 503, and a write in doubt is reported as such",
    },
    pages: true,
  },
  {
    slip: "readyz makes an empty file, for which a full disk has room",
    edits: [{ file: "lib/run/health.ts", find: 'writeFile(probe, "1"', replace: 'writeFile(probe, ""' }],
    caughtBy: {
      file: "e2e/faults/outages.spec.ts",
      title:
        "uploads get 503 while the disk is full or read-only, /readyz says why, and both recover afterwards",
    },
  },
  {
    slip: "the rows before a page are more than the database counts",
    edits: [
      {
        file: "lib/core/wire.ts",
        find: "Math.min((page - 1) * pageSize, 2_147_483_647)",
        replace: "(page - 1) * pageSize",
      },
    ],
    caughtBy: {
      file: "e2e/api/contracts.spec.ts",
      title:
        "a page past the end is empty, up to the largest safe integer, and any other page number is refused",
    },
  },
  {
    slip: "a body may have any number of names",
    edits: [
      {
        file: "lib/http/body.ts",
        find: "if (names > maxNames)",
        replace: "if (names > Number.MAX_VALUE)",
      },
    ],
    caughtBy: {
      file: bodies,
      title:
        "a JSON body with more than 20,000 object keys or 100 nesting levels is refused before it is parsed",
    },
    pages: true,
  },
  {
    slip: "a page that has no database is our mistake",
    edits: [
      {
        file: "lib/run/serve.ts",
        find: "withOutages(app.getRequestHandler())",
        replace: "app.getRequestHandler()",
      },
    ],
    caughtBy: {
      file: "e2e/faults/outages.spec.ts",
      title:
        "while the database is unreachable, pages return 503 and offer to try again, and recover once it is back",
    },
    pages: true,
  },
];
