import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { pathId } from "#lib/core/wire.ts";
import { inviteByMail, sendInvitationAgain } from "./invitation-mail.ts";
import { listInvitations, revokeInvitation } from "./invitations.ts";
import { listMembers, setRole } from "./members.ts";
import {
  InvitationAnswer,
  InvitationId,
  InvitationList,
  MemberAnswer,
  MemberList,
  MemberPatch,
  NewInvitation,
  WorkspaceAnswer,
  WorkspacePatch,
} from "./schema.ts";
import { patchWorkspace, readWorkspace } from "./settings.ts";

export const members = {
  list: operation({
    summary: "List members",
    description: "By name.",
    scopes: ["members:read"],
    input: z.object({}),
    output: MemberList,
    errors: [],
    cacheable: true,
    run: listMembers,
  }),
  setRole: operation({
    summary: "Update a member's role",
    description:
      "Only an owner can change owners, so an API key can neither add nor demote one. The last owner cannot be demoted.",
    scopes: ["members:write"],
    input: MemberPatch,
    output: MemberAnswer,
    errors: ["not_found", "forbidden", "last_owner", "precondition_failed"],
    run: async (ctx, input) => ({ member: await setRole(ctx, input) }),
  }),
};

export const invitations = {
  list: operation({
    summary: "List invitations",
    description: "Includes accepted, revoked and expired ones; newest first.",
    scopes: ["members:read"],
    input: z.object({}),
    output: InvitationList,
    errors: [],
    run: listInvitations,
  }),
  create: operation({
    summary: "Create an invitation",
    description: "It is sent by e-mail, and takes a seat while it is pending, for 7 days.",
    scopes: ["members:write"],
    input: NewInvitation,
    output: InvitationAnswer,
    status: 201,
    errors: ["forbidden", "already_member", "already_invited", "seat_limit_reached"],
    location: (made: { invitation: { id: string } }) => `/members/invitations/${made.invitation.id}`,
    run: inviteByMail,
  }),
  revoke: operation({
    summary: "Revoke a pending invitation",
    description: "It stays in the list. Revoking one that is revoked or expired changes nothing.",
    scopes: ["members:write"],
    input: z.object({ id: pathId("invitation") }),
    errors: ["not_found", "forbidden", "conflict"],
    run: revokeInvitation,
  }),
  resend: operation({
    summary: "Resend an invitation",
    description: "With a new link, for another week. The previous link no longer works.",
    scopes: ["members:write"],
    input: InvitationId,
    output: InvitationAnswer,
    errors: ["not_found", "forbidden", "conflict", "already_member", "already_invited", "seat_limit_reached"],
    run: sendInvitationAgain,
  }),
};

export const workspace = {
  read: operation({
    summary: "Get the workspace's settings and plan",
    scopes: ["members:read"],
    input: z.strictObject({}),
    output: WorkspaceAnswer,
    errors: [],
    run: readWorkspace,
  }),
  patch: operation({
    summary: "Update the workspace's settings",
    scopes: ["workspace:write"],
    input: WorkspacePatch,
    output: WorkspaceAnswer,
    errors: [],
    run: patchWorkspace,
  }),
};
