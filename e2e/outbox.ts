/** The e-mails that the run's server wrote to its outbox, because it has no SMTP_URL. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";

/** By path. A mail in the outbox does not change, so each one is read only once. */
const texts = new Map<string, string>();

/** Returns the mails in an outbox as they were written, oldest first. */
export async function textsIn(dataDir = process.env.DATA_DIR!): Promise<string[]> {
  const folder = join(dataDir, "outbox");
  // A mail that is still being written has another name.
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = texts.get(path) ?? (await readFile(path, "utf8"));
      texts.set(path, text);
      return text;
    }),
  );
}

/** Returns the mails to an address, once there are at least `count`. */
export async function mailsTo(address: string, count = 1, dataDir = process.env.DATA_DIR!): Promise<Email[]> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const mentioning = (await textsIn(dataDir)).filter((text) => text.includes(address));
    const mails = await Promise.all(mentioning.map((text) => PostalMime.parse(text)));
    const found = mails.filter((mail) => mail.to?.some((to) => to.address === address));
    if (found.length >= count) return found;
    if (Date.now() > deadline) throw new Error(`${found.length} of ${count} mails to ${address} came.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns the token in a mail's link. */
export function tokenIn(mail: Email | undefined): string {
  const token = /\/(?:invite|reset-password|confirm)\/([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  if (!token) throw new Error(`No link in: ${mail?.text}`);
  return token;
}
