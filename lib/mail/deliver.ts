/**
 * Composes e-mails and sends them over SMTP, or without SMTP_URL writes them to files below DATA_DIR, which a mail
 * program can open. To send an e-mail, queue it (queue.ts) in the transaction of the change that it is about.
 */
import { randomUUID } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import type { SendMailOptions } from "nodemailer";
import { z } from "zod";
import { settings } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { type Template, type TemplateData, templates } from "./templates.ts";

export type Mail<T extends Template = Template> = {
  [Name in T]: {
    template: Name;
    to: { address: string; name?: string | null };
    data: TemplateData<Name>;
  };
}[T];

/** A mail to send. The message gets its id and time, so that a second copy can be recognized. */
const Queued = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  organizationId: z.string().nullable(),
  template: z.enum(Object.keys(templates) as [Template]),
  to: z.object({
    address: z.string().regex(/^[^\s\p{Cc}<>@",;:]+@[^\s\p{Cc}<>@",;:]+$/u, "is not an address"),
    name: z.string().nullish(),
  }),
  data: z.unknown(),
});
type Queued = z.output<typeof Queued>;

/** The outcome of a mail: the mail server (or the outbox) has accepted it, or it is given up. */
export type DeliveryResult = { sent: true } | { sent: false; reason: string };

/** Sends one mail. Throws errors that another attempt may avoid; logs the others and gives the mail up. */
export async function deliverMail(payload: unknown): Promise<DeliveryResult> {
  const parsed = Queued.safeParse(payload);
  if (!parsed.success) return giveUp(payload, reasonOf(parsed.error));
  try {
    const message = compose(parsed.data);
    await (settings().SMTP_URL ? overSmtp(message) : intoOutbox(parsed.data, message));
    return { sent: true };
  } catch (error) {
    const reason = reasonOf(error).replaceAll(parsed.data.to.address, "the recipient");
    if (isFinal(error)) return giveUp(parsed.data, reason);
    throw new Error(`The mail server did not accept it: ${reason}`);
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
  return message.replace(/\s+/g, " ");
}

/** Logs that a mail is given up, without its address and text. Mail servers often repeat the address in errors. */
export function giveUp(payload: unknown, reason: string): DeliveryResult {
  const { id, organizationId, template } = Object(payload);
  log().warn({ mail: id, organizationId, template, reason }, "gave up on an e-mail that cannot be sent");
  return { sent: false, reason };
}

function compose({ id, at, template, to, data }: Queued): SendMailOptions {
  const from = settings().MAIL_FROM;
  const { headers, ...message } = templates[template].render(data);
  return {
    ...message,
    from,
    to: { address: to.address, name: to.name ?? "" },
    date: new Date(at),
    messageId: `<${id}@${/@([^>]+)/.exec(from)![1]}>`,
    // RFC 3834: prevents automatic replies, such as out-of-office notes.
    headers: { "Auto-Submitted": "auto-generated", ...headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Loaded on first use: servers that leave delivery to workers do not need it. */
const nodemailer = () => import("nodemailer");

/** Opens a connection for each e-mail: there are few, and an idle connection would have to be monitored. */
async function overSmtp(message: SendMailOptions): Promise<void> {
  const { createTransport } = await nodemailer();
  const transport = createTransport({
    url: settings().SMTP_URL,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  await transport.sendMail(message);
}

/** Uses the same file name in every attempt, so that a job that died after the rename leaves no second file. */
async function intoOutbox({ id, at }: Queued, message: SendMailOptions): Promise<void> {
  const { createTransport } = await nodemailer();
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message: bytes } = await transport.sendMail(message);
  const folder = join(settings().DATA_DIR, "outbox");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${at.replace(/\D/g, "").slice(0, 17)}-${id}.eml`);
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(bytes as Buffer);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/**
 * Whether an error is about this mail and permanent: 5xx for the sender, the recipient or the text. A rejected password
 * or greeting is about the settings, which an operator can fix; so is 530, which asks for authentication.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof z.ZodError) return true;
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code !== "EENVELOPE" && code !== "EMESSAGE") return false;
  return responseCode === undefined || (responseCode >= 500 && responseCode !== 530);
}
