/** The door of signed links: /api/files. Who has a link needs no key. */
import { clock } from "#lib/core/clock.ts";
import type { Answer, Asked } from "#lib/http/exchange.ts";
import { fileAnswer } from "#lib/http/file-answer.ts";
import { wrongMethod } from "#lib/http/router.ts";
import { filesPath, readSigned } from "#lib/storage/signed.ts";

export { filesPath };

export async function answerFile(asked: Asked, headers: Answer["headers"]): Promise<Answer> {
  Object.assign(headers, {
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
  });
  if (asked.method !== "GET" && asked.method !== "HEAD") throw wrongMethod(asked.method, ["GET"]);
  return fileAnswer(asked, headers, readSigned(asked.url, clock()));
}
