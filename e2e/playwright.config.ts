import { defineConfig } from "@playwright/test";
import { browser } from "./browser.ts";
import { seed } from "./random.ts";

// They are long, and need the whole machine: they are no part of a run of all. Workers, too, have to know which it is, and of
// the seed, which says which of the cluster's tests there are.
const named = ["cluster", "versions"].find((name) => process.argv.includes(`--project=${name}`));
if (named) {
  process.env.TEST_ALONE = named;
  process.env.FAULTS_SEED ||= String(seed);
}
const { TEST_ALONE: alone } = process.env;
const setUps: Record<string, string | undefined> = { cluster: "./cluster/set-up.ts", versions: undefined };
const globalSetup = alone ? setUps[alone] : "./global-setup.ts";

export default defineConfig({
  testDir: "..",
  outputDir: "../test-results",
  ...(globalSetup ? { globalSetup } : {}),
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  workers: 2,
  retries: 0,
  // A busy machine may take its time: what hangs is found all the same.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["./reporter.ts"]],
  // In the order in which they are begun: those with the longest tests come first, so that no processor waits at the end.
  projects: [
    { name: "faults", testMatch: "e2e/faults/**/*.spec.ts", timeout: 300_000 },
    { name: "attacks", testMatch: "e2e/attacks/**/*.spec.ts", use: browser, timeout: 300_000 },
    { name: "web", testMatch: "e2e/web/**/*.spec.ts", use: browser, timeout: 180_000 },
    { name: "api", testMatch: "e2e/api/**/*.spec.ts" },
    {
      name: "unit",
      testMatch: ["lib", "components", "prisma", "bench", "e2e"].map((folder) => `${folder}/**/*.test.ts`),
    },
    ...(alone ? [{ name: alone, testMatch: `e2e/${alone}/**/*.spec.ts`, workers: 1 }] : []),
  ],
});
