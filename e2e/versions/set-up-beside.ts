/** Edits to the set-up of a tree's tests, so that a server of another tree works beside their own. */
import { join } from "node:path";
import type { Mutant } from "../mutants/mutant.ts";

/** Uses the migrations of one tree and the server of the other, each given by path. */
export function setUpBeside({ migrations, other }: { migrations: string; other: string }): Mutant["edits"] {
  const file = "e2e/global-setup.ts";
  const from = (path: string, ...names: string[]) => `await import(${JSON.stringify(join(path, ...names))})`;
  return [
    {
      ...{ file, find: "await migrate(postgres.url);" },
      replace: `await (${from(migrations, "prisma", "migrate.ts")}).migrate(postgres.url);`,
    },
    {
      ...{ file, find: "process.env.BASE_URL = server.url;" },
      replace: `process.env.BASE_URL = server.url;
  const { startServer: startOther } = ${from(other, "e2e", "server.ts")};
  const beside = await startOther({
    ...{ DATABASE_URL: postgres.url, BASE_URL: server.url, WEBHOOK_ALLOW_PRIVATE: "1" },
    ...{ WEBHOOK_RETRY_SCHEDULE: "0.3,0.6,0.6", WEBHOOK_TIMEOUT_SECONDS: "2" },
  });`,
    },
    {
      ...{ file, find: "await server.stop();" },
      replace: "await Promise.all([server.stop(), beside.stop()]);",
    },
    {
      ...{ file, find: "const errors = lines.filter(" },
      replace: 'const errors = [...lines, ...beside.output().split("\\n")].filter(',
    },
  ];
}
