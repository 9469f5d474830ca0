import { z } from "zod";
import { WorkspacePatch } from "#lib/people/members/schema.ts";

/** What can be changed of a workspace; the form always says all of it. */
export const WorkspaceForm = z.object({
  name: WorkspacePatch.shape.name.unwrap(),
  currency: WorkspacePatch.shape.currency.unwrap(),
});
