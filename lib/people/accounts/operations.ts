import { z } from "zod";
import { personalOperation, visitorOperation } from "#lib/core/operation.ts";
import { endOtherSessions, endSession, listSessions } from "#lib/people/users/sessions.ts";
import { acceptAsVisitor, readInvitation } from "./acceptance.ts";
import { requestReset, resetPassword } from "./password-reset.ts";
import { patchProfile, readProfile } from "./profile.ts";
import {
  Acceptance,
  Accepted,
  EmailAnswer,
  Ended,
  InvitationFound,
  MailedToken,
  NewAccount,
  NewWorkspace,
  OwnInvitationId,
  OwnInvitationList,
  PasswordChange,
  PasswordProof,
  ProfileAnswer,
  ProfilePatch,
  Reset,
  ResetAsked,
  SessionId,
  SessionList,
  SignUpAnswer,
  SignUpConfirmed,
  SignUpFound,
  Ways,
  WorkspaceChoice,
  WorkspaceChosen,
  WorkspaceList,
} from "./schema.ts";
import { changePassword, confirmPassword } from "./sign-in.ts";
import { confirmSignUp, readSignUp, signUp } from "./sign-up.ts";
import { waysIn } from "./sso.ts";
import {
  chooseWorkspace,
  createOwnWorkspace,
  joinByInvitation,
  listOwnInvitations,
  listWorkspaces,
} from "./workspaces.ts";

export const account = {
  ways: visitorOperation({
    summary: "Tell how one can sign in and up here",
    input: z.strictObject({}),
    output: Ways,
    errors: [],
    run: async () => waysIn(),
  }),
  signUp: visitorOperation({
    summary: "Sign up, with a workspace of one's own",
    input: NewAccount,
    output: SignUpAnswer,
    errors: ["forbidden", "conflict", "rate_limited"],
    run: signUp,
  }),
  readSignUp: visitorOperation({
    summary: "Read the sign-up of a link",
    input: MailedToken,
    output: SignUpFound,
    errors: ["not_found"],
    run: readSignUp,
  }),
  confirmSignUp: visitorOperation({
    summary: "Finish signing up with the link that was mailed, and a password",
    input: SignUpConfirmed,
    output: EmailAnswer,
    errors: ["not_found", "conflict"],
    run: confirmSignUp,
  }),
  requestPasswordReset: visitorOperation({
    summary: "Have a link mailed for a forgotten password",
    description: "The answer is the same whether or not the address has an account.",
    input: ResetAsked,
    errors: ["rate_limited"],
    run: requestReset,
  }),
  resetPassword: visitorOperation({
    summary: "Set a new password with the link that was mailed",
    description: "All sessions end.",
    input: Reset,
    output: EmailAnswer,
    errors: ["not_found"],
    run: resetPassword,
  }),
  readInvitation: visitorOperation({
    summary: "Read the invitation of a link",
    input: MailedToken,
    output: InvitationFound,
    errors: ["not_found"],
    run: readInvitation,
  }),
  acceptInvitation: visitorOperation({
    summary: "Accept the invitation of a link",
    description:
      "A new person gives a name and a password; who has an account and is not signed in, its password.",
    input: Acceptance,
    output: Accepted,
    errors: [
      ...(["not_found", "conflict", "forbidden", "already_member"] as const),
      ...(["seat_limit_reached", "rate_limited"] as const),
    ],
    run: acceptAsVisitor,
  }),
};

export const profile = {
  read: personalOperation({
    summary: "Read one's own profile",
    input: z.strictObject({}),
    output: ProfileAnswer,
    errors: [],
    run: readProfile,
  }),
  patch: personalOperation({
    summary: "Change one's own name, or how dates are written for one",
    input: ProfilePatch,
    output: ProfileAnswer,
    errors: [],
    run: patchProfile,
  }),
  changePassword: personalOperation({
    summary: "Give oneself another password",
    description: "All other sessions end.",
    input: PasswordChange,
    errors: ["rate_limited"],
    run: changePassword,
  }),
};

export const sessions = {
  list: personalOperation({
    summary: "List where one is signed in",
    input: z.strictObject({}),
    output: SessionList,
    errors: [],
    run: listSessions,
  }),
  end: personalOperation({
    summary: "End one of one's own sessions",
    input: SessionId,
    errors: ["not_found"],
    run: endSession,
  }),
  endOthers: personalOperation({
    summary: "End all of one's own sessions but this one",
    input: z.strictObject({}),
    output: Ended,
    errors: [],
    run: endOtherSessions,
  }),
  confirmPassword: personalOperation({
    summary: "Enter one's password once more",
    description: "For ten minutes, what needs it is let through.",
    input: PasswordProof,
    errors: ["rate_limited"],
    run: confirmPassword,
  }),
};

export const workspaces = {
  list: personalOperation({
    summary: "List the workspaces one is a member of",
    input: z.strictObject({}),
    output: WorkspaceList,
    errors: [],
    run: listWorkspaces,
  }),
  switch: personalOperation({
    summary: "Look at another of one's workspaces",
    input: WorkspaceChoice,
    output: WorkspaceChosen,
    errors: ["not_found"],
    run: chooseWorkspace,
  }),
  invitations: personalOperation({
    summary: "List the invitations that wait for one",
    input: z.strictObject({}),
    output: OwnInvitationList,
    errors: [],
    run: listOwnInvitations,
  }),
  join: personalOperation({
    summary: "Accept an invitation to a workspace",
    input: OwnInvitationId,
    output: WorkspaceChosen,
    errors: ["not_found", "conflict", "already_member", "seat_limit_reached"],
    run: joinByInvitation,
  }),
  create: personalOperation({
    summary: "Make a workspace",
    input: NewWorkspace,
    output: WorkspaceChosen,
    status: 201,
    errors: ["forbidden"],
    run: createOwnWorkspace,
  }),
};
