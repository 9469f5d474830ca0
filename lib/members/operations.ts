import { z } from "zod";
import { operation } from "#lib/api/operation.ts";
import { pathId } from "#lib/wire.ts";
import { createInvitation, listInvitations, revokeInvitation } from "./invitations.ts";
import { listMembers, setRole } from "./members.ts";
import {
  InvitationAnswer,
  InvitationList,
  MemberAnswer,
  MemberList,
  MemberPatch,
  NewInvitation,
} from "./schema.ts";

export const members = {
  list: operation({
    summary: "List all members",
    description: "By name.",
    scopes: ["members:read"],
    input: z.object({}),
    output: MemberList,
    errors: [],
    cacheable: true,
    run: listMembers,
  }),
  setRole: operation({
    summary: "Give a member another role",
    description:
      "Only an owner changes owners, so an API key can neither make nor demote one. The last owner stays.",
    scopes: ["members:write"],
    input: MemberPatch,
    output: MemberAnswer,
    errors: ["not_found", "forbidden", "last_owner", "precondition_failed"],
    run: async (ctx, input) => ({ member: await setRole(ctx, input) }),
  }),
};

export const invitations = {
  list: operation({
    summary: "List all invitations",
    description: "Accepted, revoked and expired ones too; the newest first.",
    scopes: ["members:read"],
    input: z.object({}),
    output: InvitationList,
    errors: [],
    run: listInvitations,
  }),
  create: operation({
    summary: "Invite somebody by e-mail",
    description: "The invitation takes a seat while it is pending, for 7 days.",
    scopes: ["members:write"],
    input: NewInvitation,
    output: InvitationAnswer,
    status: 201,
    errors: ["forbidden", "already_member", "already_invited", "seat_limit_reached"],
    location: (made: { invitation: { id: string } }) => `/members/invitations/${made.invitation.id}`,
    run: async (ctx, input) => {
      const { invitation } = await createInvitation(ctx, input);
      return { invitation };
    },
  }),
  revoke: operation({
    summary: "Revoke a pending invitation",
    description: "It stays in the list. Revoking one that is revoked or expired changes nothing.",
    scopes: ["members:write"],
    input: z.object({ id: pathId("invitation") }),
    errors: ["not_found", "forbidden", "conflict"],
    run: revokeInvitation,
  }),
};
