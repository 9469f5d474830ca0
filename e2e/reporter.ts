/** Ends the run with one line that counts what passed and failed, for scripts to read. */
import type { Reporter, Suite } from "@playwright/test/reporter";

export default class Tally implements Reporter {
  #suite: Suite | undefined;

  onBegin(_: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onExit(): Promise<void> {
    const outcomes = this.#suite?.allTests().map((test) => test.outcome()) ?? [];
    const passed = outcomes.filter((outcome) => outcome === "expected").length;
    const failed = outcomes.filter((outcome) => outcome === "unexpected" || outcome === "flaky").length;
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return Promise.resolve();
  }
}
