/** The templates of all e-mails. */
import { z } from "zod";
import { quoted } from "./content.ts";
import { Notice, notice } from "./notices.ts";
import { type Message, renderEmail } from "./render.ts";
import * as signing from "./signing.ts";

const WebhookDisabled = z.object({
  workspaceName: z.string(),
  endpointUrl: z.string(),
  reason: z.string(),
  settingsUrl: z.string(),
});

function webhookDisabled(data: z.output<typeof WebhookDisabled>): Message {
  const workspace = quoted(data.workspaceName);
  return renderEmail({
    subject: `A webhook of ${workspace} was disabled`,
    paragraphs: [
      `Countersign no longer sends the events of ${workspace} to ${quoted(data.endpointUrl)}`,
      `The reason: ${quoted(data.reason)}`,
      "Nothing is lost. When the receiver works again, enable the endpoint and recover the events since then.",
    ],
    action: { label: "Open the webhook settings", url: data.settingsUrl },
  });
}

const Invitation = z.object({
  workspaceName: z.string(),
  inviterName: z.string().nullable(),
  inviterEmail: z.string().nullable().default(null),
  role: z.string(),
  expiresOn: z.iso.date(),
  url: z.string(),
});

function invitation(data: z.output<typeof Invitation>): Message {
  const workspace = quoted(data.workspaceName);
  const inviter = data.inviterName ? quoted(data.inviterName) : "Someone";
  return renderEmail({
    subject: `You are invited to ${workspace}`,
    paragraphs: [
      `${inviter} invited you to the workspace ${workspace} on Countersign. Your role will be ${data.role}.`,
      `The link is for you alone and works until ${data.expiresOn}. If you did not expect it, you can ignore this e-mail.`,
    ],
    action: { label: "Accept the invitation", url: data.url },
    contact: data.inviterEmail
      ? { about: "Not sure who this is from?", name: inviter, email: data.inviterEmail }
      : undefined,
  });
}

const AdminByKey = z.object({
  workspaceName: z.string(),
  keyName: z.string(),
  act: z.enum(["invited", "promoted"]),
  person: z.string(),
  url: z.string(),
});

function adminByKey(data: z.output<typeof AdminByKey>): Message {
  const [workspace, person] = [quoted(data.workspaceName), quoted(data.person)];
  const act = data.act === "invited" ? `invited ${person} as an admin` : `made ${person} an admin`;
  const what = data.act === "invited" ? "invited an admin to" : "made someone an admin of";
  return renderEmail({
    subject: `An API key ${what} ${workspace}`,
    paragraphs: [
      `The API key “${quoted(data.keyName)}” ${act} of ${workspace} just now.`,
      "Admins manage members, API keys and webhooks. If no one planned this, revoke the invitation or change the role, and revoke the key: someone else may have it.",
    ],
    action: { label: "Open members", url: data.url },
  });
}

const Link = z.object({ url: z.string() });

function passwordReset({ url }: z.output<typeof Link>): Message {
  return renderEmail({
    subject: "Reset your Countersign password",
    paragraphs: [
      "Someone asked to reset the password for this address. Use the link to set a new one; it works once, within an hour.",
      "If it was not you, ignore this e-mail: your password stays the same.",
    ],
    action: { label: "Set a new password", url },
  });
}

function passwordChanged({ url }: z.output<typeof Link>): Message {
  return renderEmail({
    subject: "Your Countersign password was changed",
    paragraphs: [
      "Your password was changed just now. You were signed out everywhere else, and the address of your calendar feed no longer works.",
      "If it was not you, reset your password at once and tell the owner of your workspace.",
    ],
    action: { label: "Reset your password", url },
  });
}

function signUp({ url }: z.output<typeof Link>): Message {
  return renderEmail({
    subject: "Confirm your address for Countersign",
    paragraphs: [
      "Open the link and choose a password to finish signing up. It works for an hour.",
      "If you did not sign up, ignore this e-mail: no account is created.",
    ],
    action: { label: "Finish signing up", url },
  });
}

function signUpKnown({ url }: z.output<typeof Link>): Message {
  return renderEmail({
    subject: "You already have a Countersign account",
    paragraphs: [
      "Someone tried to sign up with this address. It already has an account, so no new one was created.",
      "If it was you, sign in; you can reset a forgotten password there.",
    ],
    action: { label: "Sign in", url },
  });
}

const AuditCheckpoint = z.object({
  workspaceName: z.string(),
  seq: z.string(),
  hash: z.string(),
  at: z.iso.datetime(),
  fileName: z.string(),
  /** The checkpoint's file, attached unchanged. */
  text: z.string(),
});

function auditCheckpoint(data: z.output<typeof AuditCheckpoint>): Message {
  const workspace = quoted(data.workspaceName);
  const { fileName, text, seq, hash, at } = data;
  const message = renderEmail({
    subject: `Checkpoint of the audit log of ${workspace}, ${at.slice(0, 10)}`,
    paragraphs: [
      `The audit log of ${workspace} had ${seq} events on ${at.slice(0, 10)}. The attached file says so, signed with the key that your documents are sealed with.`,
      "You only need to keep this e-mail: with it, whoever runs the server can prove, years from now, that nothing in the log was removed or rewritten.",
      `Hash of event ${seq}: ${hash}`,
    ],
  });
  return {
    ...message,
    attachments: [{ filename: fileName, content: text, contentType: "application/json" }],
  };
}

const AuditBroken = z.object({ workspaceName: z.string(), organizationId: z.string(), reason: z.string() });

function auditBroken(data: z.output<typeof AuditBroken>): Message {
  const workspace = quoted(data.workspaceName);
  return renderEmail({
    subject: `The audit log of ${workspace} failed verification`,
    paragraphs: [
      `The audit log of ${workspace} was verified, and the verification failed. It may have been changed outside of Countersign.`,
      `What was found: ${quoted(data.reason)}`,
      `Tell whoever runs the server. The command verify-audit --organization ${data.organizationId} lists every problem; keep the e-mails with earlier checkpoints, which it can be compared with.`,
    ],
  });
}

/** The templates by name: the schema of their data, and the message that they render from it. */
export const templates = {
  invitation: template(Invitation, invitation),
  "admin-by-key": template(AdminByKey, adminByKey),
  "password-reset": template(Link, passwordReset),
  "password-changed": template(Link, passwordChanged),
  "sign-up": template(Link, signUp),
  "sign-up-known": template(Link, signUpKnown),
  "audit-checkpoint": template(AuditCheckpoint, auditCheckpoint),
  "audit-broken": template(AuditBroken, auditBroken),
  "webhook-disabled": template(WebhookDisabled, webhookDisabled),
  notice: template(Notice, (data) => renderEmail(notice(data))),
  "signing-request": template(signing.SigningRequest, (data) => renderEmail(signing.signingRequest(data))),
  "signing-link-copied": template(signing.SigningLinkCopied, (data) =>
    renderEmail(signing.signingLinkCopied(data)),
  ),
  "signing-code": template(signing.SigningCode, (data) => renderEmail(signing.signingCode(data))),
  "signing-declined": template(signing.SigningEnded, (data) => renderEmail(signing.signingDeclined(data))),
  "signing-voided": template(signing.SigningEnded, (data) => renderEmail(signing.signingVoided(data))),
  "signing-expired": template(signing.SigningExpired, (data) => renderEmail(signing.signingExpired(data))),
  "signing-delegated": template(signing.SigningDelegated, (data) =>
    renderEmail(signing.signingDelegated(data)),
  ),
  "signing-completed": template(signing.SigningCompleted, (data) =>
    renderEmail(signing.signingCompleted(data)),
  ),
};

export type Template = keyof typeof templates;
export type TemplateData<T extends Template> = z.input<(typeof templates)[T]["data"]>;

function template<Data extends z.ZodType>(data: Data, write: (data: z.output<Data>) => Message) {
  return { data, render: (given: unknown) => write(data.parse(given)) };
}
