import { defineConfig } from "@playwright/test";
import { browser } from "./browser.ts";
import { seed } from "./random.ts";

// It is long, and needs the whole machine: it is no part of a run of all. Workers, too, have to know of it, and of the
// seed, which says which of its tests there are.
if (process.argv.includes("--project=cluster")) {
  process.env.TEST_CLUSTER = "on";
  process.env.FAULTS_SEED ||= String(seed);
}
const isCluster = process.env.TEST_CLUSTER === "on";

export default defineConfig({
  testDir: "..",
  outputDir: "../test-results",
  globalSetup: isCluster ? "./cluster/set-up.ts" : "./global-setup.ts",
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
    ...(isCluster ? [{ name: "cluster", testMatch: "e2e/cluster/**/*.spec.ts", workers: 1 }] : []),
  ],
});
