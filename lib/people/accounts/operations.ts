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
  PasswordResetRequest,
  ProfileAnswer,
  ProfilePatch,
  Reset,
  SessionId,
  SessionList,
  SignInMethods,
  SignUpAnswer,
  SignUpConfirmed,
  SignUpFound,
  WorkspaceChoice,
  WorkspaceChosen,
  WorkspaceList,
} from "./schema.ts";
import { changePassword, confirmPassword } from "./sign-in.ts";
import { confirmSignUp, readSignUp, signUp } from "./sign-up.ts";
import { signInMethods } from "./sso.ts";
import {
  chooseWorkspace,
  createOwnWorkspace,
  joinByInvitation,
  listOwnInvitations,
  listWorkspaces,
} from "./workspaces.ts";

export const account = {
  ways: visitorOperation({
    summary: "Get the ways to sign in and to sign up",
    input: z.strictObject({}),
    output: SignInMethods,
    errors: [],
    run: async () => signInMethods(),
  }),
  signUp: visitorOperation({
    summary: "Sign up and create a workspace",
    input: NewAccount,
    output: SignUpAnswer,
    errors: ["forbidden", "conflict", "rate_limited"],
    run: signUp,
  }),
  readSignUp: visitorOperation({
    summary: "Get the sign-up of a link",
    input: MailedToken,
    output: SignUpFound,
    errors: ["not_found"],
    run: readSignUp,
  }),
  confirmSignUp: visitorOperation({
    summary: "Finish signing up with the link from the e-mail and a password",
    input: SignUpConfirmed,
    output: EmailAnswer,
    errors: ["not_found", "conflict"],
    run: confirmSignUp,
  }),
  requestPasswordReset: visitorOperation({
    summary: "Request a link that resets a forgotten password",
    description: "The answer is the same whether or not the address has an account.",
    input: PasswordResetRequest,
    errors: ["rate_limited"],
    run: requestReset,
  }),
  resetPassword: visitorOperation({
    summary: "Set a new password with the link from the e-mail",
    description: "All sessions end.",
    input: Reset,
    output: EmailAnswer,
    errors: ["not_found"],
    run: resetPassword,
  }),
  readInvitation: visitorOperation({
    summary: "Get the invitation of a link",
    input: MailedToken,
    output: InvitationFound,
    errors: ["not_found"],
    run: readInvitation,
  }),
  acceptInvitation: visitorOperation({
    summary: "Accept the invitation of a link",
    description:
      "A new person provides a name and a password; someone who has an account and is not signed in provides its password.",
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
    summary: "Get your profile",
    input: z.strictObject({}),
    output: ProfileAnswer,
    errors: [],
    run: readProfile,
  }),
  patch: personalOperation({
    summary: "Update your name or your date format",
    input: ProfilePatch,
    output: ProfileAnswer,
    errors: [],
    run: patchProfile,
  }),
  changePassword: personalOperation({
    summary: "Change your password",
    description: "All other sessions end.",
    input: PasswordChange,
    errors: ["rate_limited"],
    run: changePassword,
  }),
};

export const sessions = {
  list: personalOperation({
    summary: "List your sessions",
    input: z.strictObject({}),
    output: SessionList,
    errors: [],
    run: listSessions,
  }),
  end: personalOperation({
    summary: "End a session",
    input: SessionId,
    errors: ["not_found"],
    run: endSession,
  }),
  endOthers: personalOperation({
    summary: "End all your other sessions",
    input: z.strictObject({}),
    output: Ended,
    errors: [],
    run: endOtherSessions,
  }),
  confirmPassword: personalOperation({
    summary: "Confirm your password",
    description: "For ten minutes, operations that need it are allowed.",
    input: PasswordProof,
    errors: ["rate_limited"],
    run: confirmPassword,
  }),
};

export const workspaces = {
  list: personalOperation({
    summary: "List your workspaces",
    input: z.strictObject({}),
    output: WorkspaceList,
    errors: [],
    run: listWorkspaces,
  }),
  switch: personalOperation({
    summary: "Switch to another workspace",
    input: WorkspaceChoice,
    output: WorkspaceChosen,
    errors: ["not_found"],
    run: chooseWorkspace,
  }),
  invitations: personalOperation({
    summary: "List your pending invitations",
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
    summary: "Create a workspace",
    input: NewWorkspace,
    output: WorkspaceChosen,
    status: 201,
    errors: ["forbidden"],
    run: createOwnWorkspace,
  }),
};
