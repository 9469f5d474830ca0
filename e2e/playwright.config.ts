import { defineConfig } from "@playwright/test";
import { browser } from "./browser.ts";
import { seed } from "./random.ts";

// These take long and need the whole machine, so they are not part of a full run. Workers also need to know which one
// it is, and the seed, which determines the cluster's tests.
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
  // One more than two cores: tests often wait for a program to start, or for a clock.
  workers: 3,
  retries: 0,
  // A busy machine may be slow; a test that hangs still fails.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["./reporter.ts"]],
  // In the order in which they start: those with the longest tests come first, so that no processor idles at the end.
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
