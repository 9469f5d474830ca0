import { z } from "zod";
import { roles } from "#lib/core/scopes.ts";
import { email, idIn, idOut, name, pathId, timestamp } from "#lib/core/wire.ts";

/** The minimum length of a new password. */
const shortest = 10;

/** A new password. Spaces count. Hashing it refuses common passwords; the maximum length bounds the hashing. */
export const NewPassword = z
  .string({ error: ({ input }) => (input === undefined ? "is required" : "must be text") })
  .min(shortest, `must have at least ${shortest} characters`)
  .max(1000, "must have at most 1000 characters");

/** An existing password as someone enters it, which need not meet the rules for new ones. */
const Password = z.string().min(1, "must not be empty").max(1000, "must have at most 1000 characters");

/** The token in a mailed link. */
const Token = z.string().max(200);

export const SignIn = z.object({ email, password: Password });
export type SignIn = z.output<typeof SignIn>;

export const NewAccount = z.strictObject({
  name,
  email,
  workspaceName: name,
  password: NewPassword.optional().meta({
    description: "Where addresses are not confirmed by e-mail; where they are, it is set by the mailed link",
  }),
});
export type NewAccount = z.output<typeof NewAccount>;

export const SignUpAnswer = z.object({
  state: z
    .enum(["ready", "mailed"])
    .meta({ description: "ready: sign in now. mailed: first follow the link that was sent to the address" }),
});

export const MailedToken = z.strictObject({ token: Token });

export const SignUpFound = z.object({ email: z.string(), name: z.string(), workspaceName: z.string() });
export type SignUpFound = z.output<typeof SignUpFound>;

export const SignUpConfirmed = z.strictObject({ token: Token, password: NewPassword });

export const PasswordResetRequest = z.strictObject({ email });

export const Reset = z.strictObject({ token: Token, password: NewPassword });

export const InvitationFound = z.object({
  workspaceName: z.string(),
  email: z.string(),
  role: z.enum(roles),
  status: z.enum(["pending", "accepted", "revoked", "expired"]),
  hasAccount: z.boolean().meta({ description: "The address has an account: its password is asked for" }),
  isSignedIn: z.boolean().meta({ description: "It is the account that is signed in: nothing is asked for" }),
});

export const Acceptance = z.strictObject({
  token: Token,
  name: name.optional().meta({ description: "Of a new account" }),
  password: Password.optional().meta({ description: "Of a new account, or the one that the account has" }),
});
export type Acceptance = z.output<typeof Acceptance>;

export const Accepted = z.object({ organizationId: idOut("organization"), email: z.string() });

export const EmailAnswer = z.object({ email: z.string().meta({ description: "To sign in with now" }) });

/** What the sign-in page needs to know about this installation. */
export const SignInMethods = z.object({
  signUp: z.enum(["open", "closed"]),
  confirmsAddresses: z.boolean().meta({ description: "Who signs up sets the password by a mailed link" }),
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** Whether the platform supports this locale and time zone; it throws if not. */
function isWritable(locale: string | undefined, timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone }).format(0) !== "";
  } catch {
    return false;
  }
}

const Locale = z
  .string()
  .max(35)
  .refine((locale) => isWritable(locale, "UTC"), "must be a language tag such as en-GB");
const TimeZone = z
  .string()
  .max(64)
  .refine((zone) => isWritable(undefined, zone), "must be a time zone such as Europe/London");

export const Profile = z.object({
  id: idOut("user"),
  name: z.string(),
  email: z.string(),
  locale: z.string().nullable().meta({ description: "How dates are written; null until the first visit" }),
  timeZone: z.string().nullable(),
  hasPassword: z.boolean(),
  passwordConfirmedAt: timestamp.nullable().meta({ description: "Valid for ten minutes" }),
});
export type Profile = z.output<typeof Profile>;

export const ProfileAnswer = z.object({ profile: Profile });
export const ProfilePatch = z.strictObject({
  name: name.optional(),
  locale: Locale.optional(),
  timeZone: TimeZone.optional(),
});
export type ProfilePatch = z.output<typeof ProfilePatch>;

export const PasswordChange = z.strictObject({ currentPassword: Password, newPassword: NewPassword });
export type PasswordChange = z.output<typeof PasswordChange>;

export const PasswordProof = z.strictObject({ password: Password });

export const Session = z.object({
  id: idOut("session"),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: timestamp,
  lastSeenAt: timestamp,
  expiresAt: timestamp,
  isCurrent: z.boolean(),
});
export type Session = z.output<typeof Session>;

export const SessionList = z.object({ data: z.array(Session) });
export const SessionId = z.strictObject({ id: pathId("session") });
export const Ended = z.object({ ended: z.int() });
export const WorkspaceChoice = z.strictObject({ organizationId: idIn("organization") });

export const WorkspaceChosen = z.object({ organizationId: idOut("organization") });
export const NewWorkspace = z.strictObject({ name });

export const WorkspaceList = z.object({
  data: z.array(
    z.object({
      organizationId: idOut("organization"),
      memberId: idOut("member"),
      name: z.string(),
      role: z.enum(roles),
      isCurrent: z.boolean().meta({ description: "This session is about it" }),
    }),
  ),
});

export const OwnInvitation = z.object({
  id: idOut("invitation"),
  workspaceName: z.string(),
  role: z.enum(roles),
});
export type OwnInvitation = z.output<typeof OwnInvitation>;
export const OwnInvitationList = z.object({ data: z.array(OwnInvitation) });
export const OwnInvitationId = z.strictObject({ id: idIn("invitation") });
