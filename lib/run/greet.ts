/** What the operator reads when the server is up. */
import type { Settings } from "#lib/env.ts";

/** What prisma/seed.ts made: told once, kept nowhere. */
export interface Seeded {
  email: string;
  password: string;
  key: string;
}

export function greet({ BASE_URL, DATA_DIR, HOST }: Settings, seeded: Seeded | null): void {
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
  process.stderr.write(`\n${lines.join("\n")}\n\n`);
}
