import { z } from "zod";
import { WorkspacePatch } from "#lib/people/members/schema.ts";

/** The editable properties of a workspace. The form always contains all of them. */
export const WorkspaceForm = z.object({
  name: WorkspacePatch.shape.name.unwrap(),
  currency: WorkspacePatch.shape.currency.unwrap(),
});
