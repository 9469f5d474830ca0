/** The e-mails about signature requests, to signers and to the member who sent one. */
import { z } from "zod";
import { type EmailContent, paragraphsOf, quoted } from "./content.ts";

const about = {
  subject: z.string(),
  workspaceName: z.string(),
  senderName: z.string(),
  senderEmail: z.string(),
  /** Whether the reader is the sender, who does not need to be told whom to ask. */
  isSender: z.boolean().default(false),
};
const url = z.url();

export const SigningRequest = z.object({
  ...about,
  message: z.string().nullable(),
  deadline: z.string().nullable(),
  /** Who delegated it to the reader; null if the reader was asked first. */
  delegatedBy: z.string().nullable(),
  isReminder: z.boolean(),
  url,
});
type About = Pick<
  z.output<typeof SigningRequest>,
  "workspaceName" | "senderName" | "senderEmail" | "isSender"
>;

const sender = ({ workspaceName, senderName }: About) => `${quoted(senderName)} of ${quoted(workspaceName)}`;
const whoToAsk = ({ senderName, senderEmail, isSender }: About): EmailContent["contact"] =>
  isSender
    ? undefined
    : { about: "Questions about the document?", name: quoted(senderName), email: quoted(senderEmail) };
const sentBy = (data: About) => (data.isSender ? [] : [`Sent by ${sender(data)}.`]);

export function signingRequest(data: z.output<typeof SigningRequest>): EmailContent {
  const title = quoted(data.subject);
  const passedOn = data.delegatedBy ? [`${quoted(data.delegatedBy)} asked you to sign in their place.`] : [];
  const deadline = data.deadline ? [`Deadline: it can be signed until ${data.deadline}.`] : [];
  const asks = data.isSender
    ? `You asked for your own signature on “${title}”.`
    : `${sender(data)} asks you to read and sign “${title}”.`;
  const waits = data.isSender
    ? `Your own signature on “${title}” is still missing.`
    : `${sender(data)} is waiting for your signature on “${title}”.`;
  return {
    subject: data.isReminder ? `Reminder: please sign ${title}` : `Please sign ${title}`,
    paragraphs: [
      data.isReminder ? waits : asks,
      ...passedOn,
      ...(data.message ? paragraphsOf(data.message) : []),
      ...deadline,
    ],
    action: { label: "Read and sign", url: data.url },
    footnotes: [
      "This link is for you alone: whoever has it can sign in your name, so do not forward this e-mail. To have someone else sign, open it and choose “More”, then “Have someone else sign”.",
    ],
    contact: whoToAsk(data),
  };
}

export const SigningLinkCopied = z.object({ ...about, by: z.string() });

export function signingLinkCopied(data: z.output<typeof SigningLinkCopied>): EmailContent {
  const title = quoted(data.subject);
  return {
    subject: `Your link to sign ${title} was copied`,
    paragraphs: [
      `${quoted(data.by)} of ${quoted(data.workspaceName)} copied your personal link to sign “${title}”, to share it with you by means other than e-mail.`,
      "Whoever has that link can sign in your name. If you do not expect to get it, or someone else has it, tell the sender at once: they can correct your address or void the request, which ends every link.",
    ],
    contact: whoToAsk(data),
  };
}

export const SigningCode = z.object({ subject: z.string(), code: z.string(), minutes: z.int() });

export function signingCode({ subject, code, minutes }: z.output<typeof SigningCode>): EmailContent {
  return {
    subject: `${code} is your code to open ${quoted(subject)}`,
    paragraphs: [
      `Your code is ${code}. It is valid for ${minutes} minutes.`,
      "Enter it on the page that asked for it. If you did not ask for a code, someone else has your signing link: tell the sender.",
    ],
  };
}

export const SigningEnded = z.object({ ...about, by: z.string(), reason: z.string(), url: url.nullable() });

export function signingDeclined(data: z.output<typeof SigningEnded>): EmailContent {
  const title = quoted(data.subject);
  return {
    subject: `${quoted(data.by)} declined to sign ${title}`,
    paragraphs: [
      `${quoted(data.by)} declined to sign “${title}”. No one else can sign it any more.`,
      "Their reason:",
      ...paragraphsOf(data.reason),
      ...sentBy(data),
    ],
    ...(data.url ? { action: { label: "Open the request", url: data.url } } : {}),
    contact: whoToAsk(data),
  };
}

export function signingVoided(data: z.output<typeof SigningEnded>): EmailContent {
  const title = quoted(data.subject);
  return {
    subject: `No signature is needed any more: ${title}`,
    paragraphs: [
      `${quoted(data.by)} voided the request to sign “${title}”. You do not need to do anything.`,
      "The reason:",
      ...paragraphsOf(data.reason),
      ...sentBy(data),
    ],
    ...(data.url ? { action: { label: "Open the request", url: data.url } } : {}),
    contact: whoToAsk(data),
  };
}

export const SigningExpired = z.object({
  subject: z.string(),
  deadline: z.string().nullable().default(null),
  url,
});

export function signingExpired({ subject, deadline, url }: z.output<typeof SigningExpired>): EmailContent {
  return {
    subject: `The deadline to sign ${quoted(subject)} has passed`,
    paragraphs: [
      `The deadline of “${quoted(subject)}”${deadline ? `, ${deadline},` : ""} passed before everyone had signed.`,
      "Extend the deadline to continue where it stopped: signatures given so far are kept.",
    ],
    action: { label: "Open the request", url },
  };
}

export const SigningDelegated = z.object({ subject: z.string(), from: z.string(), to: z.string(), url });

export function signingDelegated({
  subject,
  from,
  to,
  url,
}: z.output<typeof SigningDelegated>): EmailContent {
  return {
    subject: `${quoted(to)} will sign ${quoted(subject)} instead of ${quoted(from)}`,
    paragraphs: [
      `${quoted(from)} delegated “${quoted(subject)}” to ${quoted(to)}, who has been asked to sign it.`,
    ],
    action: { label: "Open the request", url },
  };
}

export const SigningCompleted = z.object({ ...about, url });

export function signingCompleted(data: z.output<typeof SigningCompleted>): EmailContent {
  const title = quoted(data.subject);
  return {
    subject: `Signed by everyone: ${title}`,
    paragraphs: [
      `Everyone has signed “${title}”. The signed PDF carries a certificate of how it was signed, and is sealed: any change to it can be detected.`,
      ...sentBy(data),
    ],
    action: { label: "Get the signed PDF", url: data.url },
    contact: whoToAsk(data),
  };
}
