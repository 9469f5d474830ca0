/** The bugs that the checker must find. All stand in one copy of the sources; PLANTED says which one is on. */
import type { Mutant } from "../../mutants/mutant.ts";
import { type Bug, edit } from "./bug.ts";
import { answers, writes } from "./requests.ts";
import { signing } from "./signing.ts";
import { log, notices } from "./webhooks-and-log.ts";

export const bugs: Bug[] = [...writes, ...answers, ...notices, ...log, ...signing];

/** Four of different kinds: four seeds in a row have all. */
export const fourOf = (seed: number): Bug[] => bugs.filter((_, index) => index % 4 === seed % 4);

/** The copy's servers show the web app as it was built of the sources without bugs: so that nothing is built for them. */
export const fromSources: Mutant["edits"] = [
  edit("lib/run/web/build.ts", "  if (built === wanted) return;", "  if (built) return;"),
];
