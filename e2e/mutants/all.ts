/** Every planted slip. A new guarantee gets its own here, with the test that holds it. */
import { answers } from "./answers.ts";
import { doors } from "./doors.ts";
import type { Mutant } from "./mutant.ts";
import { promises } from "./promises.ts";
import { sealingAndFiles } from "./sealing.ts";
import { signers } from "./signing.ts";
import { tenancy } from "./tenancy.ts";
import { webhooks } from "./webhooks.ts";
import { writing } from "./writing.ts";

export const mutants: Mutant[] = [
  ...writing,
  ...tenancy,
  ...signers,
  ...answers,
  ...webhooks,
  ...sealingAndFiles,
  ...promises,
  ...doors,
];
