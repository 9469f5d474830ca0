/**
 * E-mail: composed and sent over SMTP, or without SMTP_URL into files below DATA_DIR, which a mail program opens.
 * Whatever sends one queues it (queue.ts) in the transaction of what it is about.
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

/** A mail to send. Its id and time are the message's, so that a second copy can be recognized. */
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

/** What became of a mail: the mail server (or the outbox) has it, or no one will. */
export type Fate = { sent: true } | { sent: false; reason: string };

/** Sends one mail: throws what another attempt may mend, and logs what it cannot. */
export async function deliverMail(payload: unknown): Promise<Fate> {
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

/** Addresses and texts stay out of the log; mail servers like to repeat the former. */
export function giveUp(payload: unknown, reason: string): Fate {
  const { id, organizationId, template } = Object(payload);
  log().warn({ mail: id, organizationId, template, reason }, "an e-mail cannot be sent and is given up");
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
    // RFC 3834: no holiday notes in return.
    headers: { "Auto-Submitted": "auto-generated", ...headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Loaded by whoever delivers: servers beside workers do not. */
const nodemailer = () => import("nodemailer");

/** A connection for each: e-mails are few, and an idle one would have to be watched. */
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

/** The same name at every attempt: a job that died after the rename makes no second file. */
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
 * Whether the answer is about this mail and will stay the same: 5xx to the sender, the recipient or the text.
 * A refused password or greeting is about our settings, and 530 asks for the former: those get mended.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof z.ZodError) return true;
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (code !== "EENVELOPE" && code !== "EMESSAGE") return false;
  return responseCode === undefined || (responseCode >= 500 && responseCode !== 530);
}
