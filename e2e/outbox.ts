/** The mails that the run's server wrote, as it does without SMTP_URL. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";

/** The mails to an address, once there are so many. */
export async function mailsTo(address: string, count = 1, dataDir = process.env.DATA_DIR!): Promise<Email[]> {
  const folder = join(dataDir, "outbox");
  const deadline = Date.now() + 15_000;
  for (;;) {
    const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(".eml")).sort();
    const mails = await Promise.all(
      files.map(async (file) => PostalMime.parse(await readFile(join(folder, file)))),
    );
    const found = mails.filter((mail) => mail.to?.some((to) => to.address === address));
    if (found.length >= count) return found;
    if (Date.now() > deadline) throw new Error(`${found.length} of ${count} mails to ${address} came.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The token in a mail's link. */
export function tokenIn(mail: Email | undefined): string {
  const token = /\/(?:invite|reset-password|confirm)\/([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  if (!token) throw new Error(`No link in: ${mail?.text}`);
  return token;
}
