/** The bugs that the checker must find. All are in one copy of the sources; PLANTED selects the active one. */
import type { Mutant } from "../../mutants/mutant.ts";
import { type Bug, edit } from "./bug.ts";
import { answers, writes } from "./requests.ts";
import { signing } from "./signing.ts";
import { log, notices } from "./webhooks-and-log.ts";

export const bugs: Bug[] = [...writes, ...answers, ...notices, ...log, ...signing];

/** A quarter of the bugs, of different kinds: four consecutive seeds cover all. */
export const fourOf = (seed: number): Bug[] => bugs.filter((_, index) => index % 4 === seed % 4);

/** The copy's servers use the web app built from the sources without bugs, so that nothing has to be built for them. */
export const fromSources: Mutant["edits"] = [
  edit("lib/run/web/build.ts", "  if (built === wanted) return;", "  if (built) return;"),
];
