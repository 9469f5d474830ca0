/** What the operator reads when the server is up. */
import type { Settings } from "#lib/env.ts";

/** What prisma/seed.ts made: told once, kept nowhere. */
export interface Seeded {
  email: string;
  password: string;
  key: string;
}

export function greet(settings: Settings, seeded: Seeded | null): void {
  const { BASE_URL, DATA_DIR, HOST } = settings;
  const lines = [`Countersign is ready at ${BASE_URL}`];
  if (seeded) {
    lines.push(
      "",
      "A demo workspace was made. This is shown once:",
      `  sign in    ${seeded.email}`,
      `  password   ${seeded.password}`,
      `  API key    ${seeded.key}`,
      "",
      "Try it:",
      `  curl -s -H "x-api-key: ${seeded.key}" "${BASE_URL}/api/v1/contracts?status=ACTIVE"`,
    );
  }
  lines.push("", `Data is in ${DATA_DIR}. It listens on ${HOST}. Ctrl-C stops it.`);
  if (!settings.SMTP_URL) lines.push(`E-mail is written to ${DATA_DIR}/outbox; SMTP_URL would send it.`);
  if (settings.WEBHOOK_ALLOW_PRIVATE) {
    lines.push("Webhooks may go to this machine and its network; WEBHOOK_ALLOW_PRIVATE=0 forbids it.");
  }
  process.stderr.write(`\n${lines.join("\n")}\n\n`);
}
