/** A slip that someone could make one day, and the test that would tell them. */
export interface Mutant {
  /** What no longer holds with it. */
  slip: string;
  /** `find` stands in the file exactly once. */
  edits: { file: string; find: string; replace: string }[];
  /** The test that must fail: its file and its whole title. */
  caughtBy: { file: string; title: string };
  /** That test needs the pages, or signing in: the web app is built with the slip in it. */
  pages?: true;
}
