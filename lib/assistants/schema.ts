import { z } from "zod";
import { assistantScopes, roles } from "#lib/core/scopes.ts";
import { choice, idIn, idOut, pathId, timestamp } from "#lib/core/wire.ts";
import { assistantPolicies } from "./lifecycle.ts";

export const AssistantPolicyAnswer = z.object({ policy: z.enum(assistantPolicies) });
export const AssistantPolicyPatch = z.strictObject({ policy: choice(assistantPolicies) });

const scopeList = z.array(z.enum(assistantScopes));

/** The program that asks to be connected. */
export const AssistantProgram = z.object({
  name: z.string(),
  host: z.string().meta({ description: "Who vouches for it, or where the answer goes" }),
  isVerified: z
    .boolean()
    .meta({ description: "The site at this host says that the program is its own, and gets the answer" }),
  returnsTo: z
    .enum(["site", "computer", "app"])
    .meta({ description: "A site, a program on the person's computer, or an app by its own kind of link" }),
});
export type AssistantProgram = z.output<typeof AssistantProgram>;

/** What a person is asked for, and the workspaces in which they can approve it. */
export const AssistantRequest = z.object({
  program: AssistantProgram,
  scopes: scopeList,
  workspaces: z.array(
    z.object({
      organizationId: idOut("organization"),
      name: z.string(),
      role: z.enum(roles),
      policy: z.enum(assistantPolicies),
      isCurrent: z.boolean(),
      scopes: scopeList.meta({ description: "Those asked for that the role and the workspace allow" }),
    }),
  ),
});
export type AssistantRequest = z.output<typeof AssistantRequest>;

const request = z.string().min(1).max(100);

export const AssistantRequestId = z.strictObject({ request });
export const AssistantRequestAnswer = z.object({ request: AssistantRequest });

export const AssistantApproval = z.strictObject({
  request,
  organizationId: idIn("organization"),
  scopes: z
    .array(choice(assistantScopes))
    .min(1, "must have at least one")
    .max(assistantScopes.length, "has too many"),
});
export type AssistantApproval = z.output<typeof AssistantApproval>;

export const AssistantDecided = z.object({
  returnTo: z.string().meta({ description: "Where the browser goes on: back to the program" }),
});

/** An assistant that is connected to the workspace. */
export const ConnectedAssistant = z.object({
  id: idOut("assistantGrant"),
  name: z.string(),
  host: z.string(),
  isVerified: z.boolean(),
  scopes: scopeList.meta({ description: "What was granted; the role and the workspace may allow less now" }),
  member: z.object({ id: idOut("user"), name: z.string() }),
  isOwn: z.boolean(),
  connectedAt: timestamp,
  lastUsedAt: timestamp.nullable().meta({ description: "To the minute" }),
});
export type ConnectedAssistant = z.output<typeof ConnectedAssistant>;

export const ConnectedAssistantList = z.object({
  data: z.array(ConnectedAssistant),
  policy: z.enum(assistantPolicies),
  address: z
    .string()
    .nullable()
    .meta({ description: "Where assistants connect; null where the server lets none in" }),
});
export type ConnectedAssistantList = z.output<typeof ConnectedAssistantList>;
export const ConnectedAssistantId = z.strictObject({ id: pathId("assistantGrant") });
