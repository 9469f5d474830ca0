import { z } from "zod";
import { personalOperation } from "#lib/api/operation.ts";
import { patchProfile, readProfile } from "./profile.ts";
import {
  Ended,
  NewWorkspace,
  PasswordChange,
  PasswordProof,
  ProfileAnswer,
  ProfilePatch,
  SessionId,
  SessionList,
  WorkspaceChoice,
  WorkspaceChosen,
  WorkspaceList,
} from "./schema.ts";
import { endOtherSessions, endSession, listSessions } from "./sessions.ts";
import { changePassword, confirmPassword } from "./sign-in.ts";
import { chooseWorkspace, createOwnWorkspace, listWorkspaces } from "./workspaces.ts";

export const profile = {
  read: personalOperation({
    summary: "Read one's own profile",
    input: z.strictObject({}),
    output: ProfileAnswer,
    errors: [],
    run: readProfile,
  }),
  patch: personalOperation({
    summary: "Change one's own name",
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
  create: personalOperation({
    summary: "Make a workspace",
    input: NewWorkspace,
    output: WorkspaceChosen,
    status: 201,
    errors: ["forbidden"],
    run: createOwnWorkspace,
  }),
};
