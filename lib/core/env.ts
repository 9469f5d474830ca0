/** All settings, read from the environment and validated once. An invalid value stops the start. */
import { z } from "zod";
import { isLoopback } from "./network.ts";

const flag = <const V extends [string, string]>(values: V) => z.enum(values);
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
const address = (...protocols: string[]) =>
  z.string().refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ""), {
    error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`,
  });

/** pg, unlike libpq, takes no list of hosts. */
const databaseAddress = () =>
  z
    .string()
    .refine((value) => !/^postgres(ql)?:\/\/[^/]*,[^/@]*(\/|$)/.test(value), {
      error: "must name one host: an address that leads to the primary, whichever server that is",
      abort: true,
    })
    .pipe(address("postgres:", "postgresql:"));

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?){0,99}$/, "must be seconds, comma separated, such as 5,300,1800")
  .transform((list) => list.split(",").map(Number));

const Environment = z.object({
  PORT: whole(0, 65535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  BASE_URL: address("http:", "https:").optional(),
  DATA_DIR: z.string().default(".data"),
  DATABASE_URL: databaseAddress().optional(),
  // PostgreSQL itself, if DATABASE_URL is a transaction pooler: for features that need a session of their own.
  DATABASE_DIRECT_URL: databaseAddress().optional(),
  // Whether to use prepared statements. Poolers without support for them (PgBouncer before 1.21) need this off.
  DATABASE_PREPARED: flag(["on", "off"]).default("on"),
  // A replica, which answers heavy reads once it has caught up with what the caller has seen.
  DATABASE_READ_URL: databaseAddress().optional(),
  DATABASE_POOL: whole(2, 1000).default(10),
  REDIS_URL: address("redis:", "rediss:").optional(),
  REDIS_TIMEOUT_MS: whole(1, 1000).default(15),
  // Seconds for which a stopping server still accepts requests, so that load balancers notice that it is leaving.
  DRAIN_SECONDS: whole(0, 600).default(0),
  // Whether a first start creates a demo workspace.
  SEED: flag(["demo", "none"]).optional(),
  WORKER: flag(["inline", "off"]).default("inline"),
  ASSISTANT: flag(["on", "off"]).default("on"),
  TRUSTED_PROXIES: whole(0, 10).default(0),
  RATE_LIMIT_PER_MINUTE: whole(0, 1_000_000_000).default(600),
  SECRET_KEY: z.string().min(32, "must have at least 32 characters").optional(),
  SECRET_KEY_PREVIOUS: z.string().min(32, "must have at least 32 characters").optional(),
  // Whether anyone may create an account and a workspace.
  SIGN_UP: flag(["open", "closed"]).optional(),
  // Wrong passwords allowed per account in 15 minutes; an address gets ten times as many. 0 disables the limit.
  SIGN_IN_ATTEMPTS: whole(0, 1_000_000).default(10),
  OIDC_ISSUER: address("https:", "http:").optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(50, "must be at most 50 characters").default("Single sign-on"),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  SMTP_URL: address("smtp:", "smtps:").optional(),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>@]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, "must be an address, or Name <address>")
    .default("Countersign <countersign@localhost>"),
  // E-mails sent to one address per hour; further ones wait. 0 disables the limit.
  MAILS_PER_ADDRESS_PER_HOUR: whole(0, 1_000_000).default(20),
  // Whether owners get each checkpoint of the audit log by e-mail, where this server cannot change it.
  AUDIT_CHECKPOINT_MAIL: flag(["on", "off"]).default("on"),
  // The key to seal with, as a PKCS#12 file; without it, each workspace creates its own. A time-stamp authority.
  SIGNING_P12: z.string().optional(),
  SIGNING_P12_PASSWORD: z.string().default(""),
  TSA_URL: address("http:", "https:").optional(),
  WEBHOOK_ALLOW_PRIVATE: flag(["0", "1"]).optional(),
  // Seconds between the attempts of a delivery; n of them make n + 1 attempts.
  WEBHOOK_RETRY_SCHEDULE: seconds.default([5, 300, 1800, 7200, 18_000, 36_000, 36_000]),
  WEBHOOK_TIMEOUT_SECONDS: whole(1, 60).default(15),
  // Where files are stored: "disk" (below DATA_DIR), or a bucket of an S3-compatible store, with an optional prefix.
  STORAGE: z
    .string()
    .regex(
      /^(disk|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w!.*'()/-]*)?)$/,
      "must be disk, or s3://bucket/prefix",
    )
    .default("disk"),
  S3_ENDPOINT: address("http:", "https:").optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  // A Gotenberg server that converts DOCX files to PDF; without one, the packaged LibreOffice does.
  GOTENBERG_URL: address("http:", "https:").optional(),
  // A model that embeds clauses by meaning, at an OpenAI-compatible endpoint; without one, search goes by words.
  EMBEDDINGS_URL: address("http:", "https:").optional(),
  EMBEDDINGS_MODEL: z.string().max(200, "must be at most 200 characters").optional(),
  EMBEDDINGS_KEY: z.string().optional(),
  // A model that looks for more dates and duties in documents, at an OpenAI-compatible endpoint.
  LLM_URL: address("http:", "https:").optional(),
  LLM_MODEL: z.string().max(200, "must be at most 200 characters").optional(),
  LLM_KEY: z.string().optional(),
  // For Prometheus, which reads /metrics on a port of its own, with a token, or both.
  METRICS_PORT: whole(1, 65535).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, "must have at least 16 characters, and no spaces")
    .optional(),
  // An OpenTelemetry collector that receives traces. Its other settings have OpenTelemetry's own names (OTEL_…).
  OTEL_EXPORTER_OTLP_ENDPOINT: address("http:", "https:").optional(),
  // By OpenTelemetry's rules for flags, everything but "true" is false.
  OTEL_SDK_DISABLED: z
    .string()
    .default("false")
    .transform((value) => value.toLowerCase() === "true"),
  OTEL_SERVICE_NAME: z.string().max(200, "must be at most 200 characters").default("countersign"),
  OTEL_TRACES_SAMPLER: z
    .enum([
      ...(["always_on", "always_off", "traceidratio"] as const),
      ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
    ])
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, "must be a number from 0 to 1")
    .default("1")
    .transform(Number),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

const complete = Environment.refine(
  ({ S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret }) => Boolean(id) === Boolean(secret),
  { path: ["S3_SECRET_ACCESS_KEY"], message: "must be set together with S3_ACCESS_KEY_ID, or neither" },
);

/** The settings by their environment names; BASE_URL has no trailing slash. */
export type Settings = Omit<
  z.output<typeof Environment>,
  "BASE_URL" | "SEED" | "SIGN_UP" | "WEBHOOK_ALLOW_PRIVATE"
> & {
  BASE_URL: string;
  SEED: "demo" | "none";
  SIGN_UP: "open" | "closed";
  WEBHOOK_ALLOW_PRIVATE: boolean;
};

/** Invalid settings. The message is for the operator, with a line for each. */
export class BadSetting extends Error {
  override name = "BadSetting";
}

/** Checks an environment. An empty value counts as unset. */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = complete.safeParse(set);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new BadSetting(lines.join("\n"));
  }
  refuseHalves(parsed.data);
  const { BASE_URL = `http://localhost:${parsed.data.PORT}`, ...rest } = parsed.data;
  // Anyone who can sign up can make this server send requests and read the responses, so strangers may not unless
  // configured. And a server that others can reach is in use, where nobody expects a demo.
  const isForThisMachine = isLoopback(rest.HOST) && isLoopback(new URL(BASE_URL).hostname);
  const { SEED, SIGN_UP, WEBHOOK_ALLOW_PRIVATE } = rest;
  return {
    ...rest,
    BASE_URL: BASE_URL.replace(/\/+$/, ""),
    SEED: SEED ?? (isForThisMachine ? "demo" : "none"),
    SIGN_UP: SIGN_UP ?? (isForThisMachine ? "open" : "closed"),
    WEBHOOK_ALLOW_PRIVATE: WEBHOOK_ALLOW_PRIVATE ? WEBHOOK_ALLOW_PRIVATE === "1" : isForThisMachine,
  };
}

let parsed: Settings | undefined;

/** The address of PostgreSQL itself, bypassing any pooler. */
export function directDatabaseUrl(): string | undefined {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = settings();
  return DATABASE_DIRECT_URL ?? DATABASE_URL;
}

/** Settings that must be set together. */
const together = [
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["EMBEDDINGS_URL", "EMBEDDINGS_MODEL", "EMBEDDINGS_KEY"],
  ["LLM_URL", "LLM_MODEL", "LLM_KEY"],
] as const;

function refuseHalves(set: Partial<Record<string, unknown>>): void {
  const lines = together
    .filter((group) => group.some((name) => set[name]) && !group.every((name) => set[name]))
    .map(
      (group) =>
        `${group.find((name) => !set[name])}: is needed together with ${group.find((name) => set[name])}`,
    );
  if (set.DATABASE_DIRECT_URL && !set.DATABASE_URL)
    lines.push("DATABASE_URL: is needed together with DATABASE_DIRECT_URL");
  if (lines.length > 0) throw new BadSetting(lines.join("\n"));
}

/** This process's settings, read at their first use. */
export function settings(): Settings {
  parsed ??= parseSettings(process.env);
  return parsed;
}

/** Sets defaults for settings that the environment does not set. */
export function provideDefaults(values: Partial<Record<keyof Settings, string>>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ||= value;
  parsed = undefined;
}

/** Whether this is a production install, such as from an image: it writes nothing outside its data folder. */
export function isProduction(): boolean {
  const { NODE_ENV } = process.env;
  return NODE_ENV === "production";
}

/** next-auth reads its own address only from the environment. */
export function provideAuthUrl(): void {
  Object.assign(process.env, { NEXTAUTH_URL: settings().BASE_URL });
}

/**
 * Makes Next load next.config.ts with Node's own TypeScript support. By default it loads its compiler for that and
 * keeps it in memory while the server runs.
 */
export function readNextConfigByNode(): void {
  Object.assign(process.env, { __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: "true" });
}

/**
 * Sets settings known only at the start (the embedded database's address, the port in use), also for Next's bundles and
 * for child processes.
 */
export function provideSettings(values: Partial<Record<keyof Settings, string>>): void {
  Object.assign(process.env, values);
  parsed = undefined;
}
