import { z } from "zod";
import { roles } from "#lib/core/scopes.ts";
import { choice, currency, email, idOut, name, pathId, timestamp } from "#lib/core/wire.ts";

export const invitationStatuses = ["pending", "accepted", "revoked", "expired"] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

export const Member = z
  .object({
    memberId: idOut("member").meta({ description: "The membership's id; userId is the person's" }),
    userId: idOut("user"),
    role: z.enum(roles),
    name: z.string().meta({ example: "Dana Reyes" }),
    email: z.string().meta({ example: "dana@northwind.example" }),
  })
  .meta({ id: "Member" });
export type Member = z.output<typeof Member>;

export const Invitation = z
  .object({
    id: idOut("invitation"),
    email: z.string().meta({ example: "dana@northwind.example" }),
    role: z.enum(roles),
    status: z.enum(invitationStatuses),
    expiresAt: timestamp,
    createdAt: timestamp,
  })
  .meta({ id: "Invitation" });
export type Invitation = z.output<typeof Invitation>;

export const MemberAnswer = z.object({ member: Member });
export const MemberList = z.object({ data: z.array(Member) });
export const InvitationAnswer = z.object({ invitation: Invitation });
export const InvitationList = z.object({ data: z.array(Invitation) });

export const MemberPatch = z.strictObject({
  memberId: pathId("member"),
  role: choice(roles).meta({ example: "member" }),
});
export type MemberPatch = z.output<typeof MemberPatch>;

export const NewInvitation = z.strictObject({
  email,
  role: choice(roles).default("member").meta({ example: "member" }),
});
export type NewInvitation = z.output<typeof NewInvitation>;

export const InvitationId = z.strictObject({ id: pathId("invitation") });

export const Workspace = z.object({
  id: idOut("organization"),
  name: z.string(),
  currency: z.string().meta({ description: "The currency of values that do not name one" }),
  seats: z.int(),
  seatsUsed: z.int().meta({ description: "Members and pending invitations" }),
  subscriptionStatus: z.enum(["active", "inactive"]),
  createdAt: timestamp,
  sealingCertificates: z
    .array(
      z.object({
        name: z.string(),
        fingerprint: z.string().meta({ description: "SHA-256, in lower-case hex" }),
        firstUsedAt: timestamp,
        notAfter: timestamp,
      }),
    )
    .meta({ description: "What documents of the workspace are sealed with, the newest first" }),
});
export type Workspace = z.output<typeof Workspace>;

export const WorkspaceAnswer = z.object({ workspace: Workspace });
export const WorkspacePatch = z.strictObject({ name: name.optional(), currency: currency.optional() });
export type WorkspacePatch = z.output<typeof WorkspacePatch>;
