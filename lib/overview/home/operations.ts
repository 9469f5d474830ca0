import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { HomeAnswer } from "./schema.ts";
import { summarizeHome } from "./summary.ts";

export const home = {
  summary: operation({
    summary: "Get the Home page: what needs the member now, and the workspace in numbers",
    scopes: ["contracts:read", "obligations:read", "signatures:read"],
    input: z.strictObject({}),
    output: HomeAnswer,
    errors: [],
    run: summarizeHome,
  }),
};
