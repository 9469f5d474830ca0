/**
 * The public door to verification: POST /api/verify with a PDF as the body, from our own page. Anybody may ask; the
 * file is looked at in the limited child and forgotten.
 */
import { Refusal } from "#lib/errors.ts";
import { print } from "#lib/print.ts";
import { Verified } from "#lib/signatures/schema.ts";
import { verifyPdf } from "#lib/signatures/verification.ts";
import { Receiver } from "#lib/storage/incoming.ts";
import { answering, json } from "./answering.ts";
import type { Answer, Asked } from "./asked.ts";
import { limitRate } from "./rate-limit.ts";
import { wrongMethod } from "./router.ts";
import { refuseForeign } from "./same-origin.ts";

export const verifyPath = "/api/verify";

const limitBytes = 50 * 1024 * 1024;

/** Answers one request. Never throws. */
export async function answerVerify(asked: Asked): Promise<Answer> {
  return answering(asked, async (_, headers) => {
    if (asked.method !== "POST") throw wrongMethod(asked.method, ["POST"]);
    refuseForeign(asked.header);
    await limitRate(`verify ${asked.ip}`, new Date(), headers);
    const type = asked.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
    if (type !== "application/pdf") {
      throw new Refusal(
        "unsupported_media_type",
        "Send the PDF as the body, with content-type: application/pdf.",
      );
    }
    const receiver = await Receiver.open(limitBytes);
    try {
      for await (const chunk of asked.chunks()) await receiver.write(chunk);
      const { path } = await receiver.finish();
      return json(200, headers, print(Verified, await verifyPdf(path)));
    } finally {
      await receiver.discard();
    }
  });
}
