/**
 * The signers' door over HTTP: POST /api/sign/NAME with JSON, for our own pages alone. `open` takes a link's token
 * and sets the cookie of a visit; everything else names the signer in x-signer-id and brings that cookie.
 */
import { clock } from "#lib/core/clock.ts";
import { Refusal } from "#lib/core/errors.ts";
import { parseInput, perform } from "#lib/core/execute.ts";
import type { Answer, Asked } from "#lib/http/exchange.ts";
import { limitRate } from "#lib/http/rate-limit.ts";
import { answering, json } from "#lib/http/respond.ts";
import { wrongMethod } from "#lib/http/router.ts";
import { refuseForeign } from "#lib/http/same-origin.ts";
import { signerOperations } from "#lib/operations.ts";
import { admitByLink, admitSigner, type Knock } from "./admit.ts";
import { jsonBody } from "./member.ts";
import { signerCookie } from "./signer-cookie.ts";

export const signerPath = "/api/sign";

/** Answers one request. Never throws. */
export async function answerSigner(asked: Asked): Promise<Answer> {
  return answering(asked, async (requestId, headers) => {
    const name = asked.url.slice(signerPath.length + 1).split("?", 1)[0] ?? "";
    const operation = Object.hasOwn(signerOperations, name) ? signerOperations[name] : undefined;
    if (!operation) throw new Refusal("not_found", `There is no operation ${name.slice(0, 100)}.`);
    if (asked.method !== "POST") throw wrongMethod(asked.method, ["POST"]);
    refuseForeign(asked.header);
    const { header, method, ip, gone } = asked;
    const knock: Knock = { method, header, ip, requestId, now: clock(), gone };
    await limitRate(`signer ${ip}`, knock.now, headers);
    // Before the body is read; but a link's token stands in it.
    const admitted = name === "open" ? null : await admitSigner(knock, signerIn(knock));
    const input = parseInput(operation.input, await jsonBody(asked, operation));
    const ctx = admitted ?? (await enter(knock, input, headers));
    const outcome = await perform(operation, ctx, input);
    return json(outcome.status, headers, outcome.body);
  });
}

const signerIn = ({ header }: Knock) => header("x-signer-id") ?? "";

async function enter(knock: Knock, input: Record<string, unknown>, headers: Answer["headers"]) {
  const { ctx, cookie } = await admitByLink(knock, String(input.token));
  headers["set-cookie"] = signerCookie(ctx.actor.id, cookie);
  return ctx;
}
