/** Every planted slip. A new guarantee gets its own here, with the test that holds it. */
import type { Mutant } from "./mutant.ts";
import { writing } from "./writing.ts";

export const mutants: Mutant[] = [...writing];
