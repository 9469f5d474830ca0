/**
 * `npm run -s webhook-receiver -- --secret whsec_… [--port 4000] [--status 204]`: prints each delivery that verifies,
 * and the reason why another one does not. It is for trying out webhooks; your own receiver would do the same.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { z } from "zod";

const usage =
  "Usage: npm run -s webhook-receiver -- --secret whsec_… [--port 4000] [--host 127.0.0.1] [--status 204]";

const Flags = z.object({
  secret: z.string("is required").regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, "is not a webhook secret: whsec_…"),
  port: z.coerce.number("must be a number").int().min(0).max(65535).default(4000),
  host: z.string().default("127.0.0.1"),
  status: z.coerce.number("must be a number").int().min(200).max(599).default(204),
});
type Flags = z.output<typeof Flags>;

class BadUsage extends Error {}

function readFlags(args: string[]): Flags {
  const names = Object.keys(Flags.shape);
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" } as const]));
  let values: unknown;
  try {
    values = parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new BadUsage((error as Error).message);
  }
  const parsed = Flags.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new BadUsage(
    parsed.error.issues.map(({ path, message }) => `--${path.join()} ${message}`).join("\n"),
  );
}

const say = (...lines: string[]) => console.log(`${lines.join("\n")}\n`);

/** Returns the library's headers, each as one value: values that Node joined with a comma would not verify anyway. */
const signed = ["webhook-id", "webhook-timestamp", "webhook-signature"];

function signedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(signed.map((name) => [name, String(headers[name] ?? "")]));
}

/** Returns why a delivery cannot be trusted, in more detail than the library gives. Null if it verifies. */
function problemOf(webhook: Webhook, headers: Record<string, string>, body: Buffer): string | null {
  const missing = signed.filter((name) => !headers[name]);
  if (missing.length > 0) return `the headers ${missing.join(", ")} are missing`;
  try {
    // Verifies the raw bytes: JSON that is parsed and serialized again would differ.
    webhook.verify(body, headers, { jsonParse: false });
    return null;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return explained[error.message] ?? error.message;
  }
}

const explained: Record<string, string> = {
  "No matching signature found": "no signature matches: another secret, or not the bytes that were signed",
  "Message timestamp too old":
    "webhook-timestamp is more than 5 minutes ago: a replay, or a clock that is wrong",
  "Message timestamp too new": "webhook-timestamp is more than 5 minutes ahead: a clock is wrong",
  "Invalid Signature Headers": "webhook-timestamp is not a number of seconds",
};

/** Ids that were answered with success: a repeated one is a duplicate, to be ignored. */
const seen = new Set<string>();

function receive({ status }: Flags, webhook: Webhook, request: IncomingMessage, body: Buffer): number {
  const headers = signedHeaders(request.headers);
  const at = new Date().toISOString();
  const problem = problemOf(webhook, headers, body);
  if (problem) {
    say(`${at}  NOT VERIFIED: ${problem}`, ...shown(headers), `(${body.length} bytes, answered 401)`);
    return 401;
  }
  const id = headers["webhook-id"]!;
  if (seen.has(id)) {
    say(`${at}  verified, a duplicate: ${id} was received before (answered ${status})`);
    return status;
  }
  if (status < 300) seen.add(id);
  const { type, text } = printed(body);
  say(`${at}  verified: ${type} (answered ${status})`, ...shown(headers), text);
  return status;
}

const shown = (headers: Record<string, string>) =>
  signed.map((name) => `${name}: ${JSON.stringify(headers[name])}`);

function printed(body: Buffer): { type: string; text: string } {
  try {
    const event = JSON.parse(body.toString());
    return { type: String(event?.type), text: JSON.stringify(event, null, 2) };
  } catch {
    return { type: "not JSON", text: JSON.stringify(body.toString()) };
  }
}

function serve(flags: Flags): void {
  const webhook = new Webhook(flags.secret);
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
    const body = await buffer(request).catch(() => null);
    if (body) response.writeHead(receive(flags, webhook, request, body)).end();
  });
  server.on("error", (error) => fail(error.message, 1));
  server.listen(flags.port, flags.host, () => {
    const { port } = server.address() as { port: number };
    say(`Waiting for deliveries at http://${flags.host}:${port}/. Ctrl-C stops it.`);
  });
}

function fail(message: string, code: number): void {
  console.error(message);
  process.exitCode = code;
}

try {
  serve(readFlags(process.argv.slice(2)));
} catch (error) {
  if (error instanceof BadUsage) fail(`${error.message}\n${usage}`, 2);
  else fail((error as Error).message, 2);
}
