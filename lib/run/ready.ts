/** The messages for the operator when the server is ready. */
import type { Settings } from "#lib/core/env.ts";

/** The credentials from prisma/demo/seed.ts. They are shown once and not stored. */
export interface Seeded {
  email: string;
  password: string;
  key: string;
}

export function printReady(settings: Settings, seeded: Seeded | null): void {
  const { BASE_URL, DATA_DIR, HOST } = settings;
  const lines = [`Countersign is ready at ${BASE_URL}`];
  if (seeded) lines.push(...seededLines(settings, seeded));
  if (settings.ASSISTANT === "on")
    lines.push("", `Assistants connect to ${BASE_URL}/mcp (docs/assistant.md).`);
  lines.push("", `Data is in ${DATA_DIR}. It listens on ${HOST}. Ctrl-C stops it.`);
  if (!settings.SMTP_URL) lines.push(`E-mail is written to ${DATA_DIR}/outbox; set SMTP_URL to send it.`);
  lines.push(
    settings.SIGN_UP === "open"
      ? "Anyone who can reach it can sign up; SIGN_UP=closed prevents that."
      : "Sign-up is closed: people join by invitation. SIGN_UP=open lets anyone sign up.",
    settings.WEBHOOK_ALLOW_PRIVATE
      ? "Webhooks may go to this machine and its network; WEBHOOK_ALLOW_PRIVATE=0 prevents that."
      : "Webhooks go to public addresses only; WEBHOOK_ALLOW_PRIVATE=1 allows private ones.",
  );
  print(lines);
}

/** Shows the demo credentials when the start failed after seeding: no later start shows them. */
export function printDemoCredentials(settings: Settings, seeded: Seeded): void {
  print(seededLines(settings, seeded));
}

function seededLines({ BASE_URL }: Settings, { email, password, key }: Seeded): string[] {
  return [
    "",
    "A demo workspace was created. This is shown once:",
    `  sign in    ${email}`,
    `  password   ${password}`,
    `  API key    ${key}`,
    "",
    "Try it:",
    `  curl -s -H "x-api-key: ${key}" "${BASE_URL}/api/v1/contracts?status=ACTIVE"`,
  ];
}

function print(lines: string[]): void {
  process.stderr.write(`\n${lines.join("\n")}\n\n`);
}
