/**
 * The members' door over HTTP: every operation by its name, as a POST with JSON, for our own pages alone. What
 * holds for the public API holds here: the same checks in the same order, the same shapes of answers and errors.
 */
import { clock } from "#lib/core/clock.ts";
import { Refusal } from "#lib/core/errors.ts";
import { authorize, type Outcome, parseInput, perform } from "#lib/core/execute.ts";
import { visitorShare } from "#lib/core/lanes.ts";
import { type AnyOperation, changes, successOf } from "#lib/core/operation.ts";
import type { Answer, Asked } from "#lib/http/exchange.ts";
import { keyIssues, once } from "#lib/http/idempotency.ts";
import { bodyInput } from "#lib/http/input.ts";
import { limitFiles, limitRate } from "#lib/http/rate-limit.ts";
import { answering, json, unpaid } from "#lib/http/respond.ts";
import { keptRead } from "#lib/http/response-cache.ts";
import { wrongMethod } from "#lib/http/router.ts";
import { refuseForeign } from "#lib/http/same-origin.ts";
import { passThrough, write } from "#lib/http/write.ts";
import { findOperation } from "#lib/operations.ts";
import { type Admitted, admitMember, admitPerson, admitVisitor, type Knock } from "./admit.ts";
import { requireFreshPassword } from "./step-up.ts";

export const memberPath = "/api/member";

/** Answers one request. Never throws. */
export async function answerMember(asked: Asked): Promise<Answer> {
  return answering(asked, async (requestId, headers) => {
    const name = asked.url.slice(memberPath.length + 1).split("?", 1)[0] ?? "";
    const found = findOperation(name);
    if (!found) throw new Refusal("not_found", `There is no operation ${name.slice(0, 100)}.`);
    if (asked.method !== "POST") throw wrongMethod(asked.method, ["POST"]);
    refuseForeign(asked.header);
    const { header, method, ip, gone } = asked;
    const knock: Knock = { method, header, ip, requestId, now: clock(), gone };
    if (found.door === "member") return asMember(name, found.operation, asked, knock, headers);
    const isPerson = found.door === "person";
    const caller = isPerson ? await admitPerson(knock) : await admitVisitor(knock);
    if (isPerson && "user" in caller) refuseChangedSession(asked, caller.user.id);
    const counted = "user" in caller ? caller.user.id : `visitor ${ip}`;
    await limitRate(counted, knock.now, headers);
    if (found.operation.file) {
      const share = "user" in caller ? caller.user.id : visitorShare(caller);
      await limitFiles(share, knock.now, headers);
      const outcome = await passThrough(found.operation as AnyOperation<typeof caller>, caller, asked, share);
      return json(outcome.status, headers, outcome.body);
    }
    const input = parseInput(found.operation.input, await jsonBody(asked, found.operation));
    if ("session" in caller) await requireFreshPassword(name, caller, input);
    const outcome = await perform(found.operation as AnyOperation<typeof caller>, caller, input);
    return json(outcome.status, headers, outcome.body);
  });
}

async function asMember(
  name: string,
  operation: AnyOperation,
  asked: Asked,
  knock: Knock,
  headers: Answer["headers"],
) {
  const admitted = await admitMember(knock);
  refuseChangedSession(asked, admitted.ctx.actor.id, admitted.ctx.organizationId);
  await limitRate(admitted.ctx.actor.id, knock.now, headers);
  authorizeMember(operation, admitted);
  if (operation.file) {
    const found = { route: memberPath, operation, parameters: {} };
    return told(await write(found, admitted.ctx, asked, pathOf(asked)), headers);
  }
  const body = await jsonBody(asked, operation);
  const key = asked.header("idempotency-key");
  const input = parseInput(operation.input, body, keyIssues(key));
  await requireFreshPassword(name, admitted.ctx, input);
  const run = () => perform(operation, admitted.ctx, input);
  if (!operation.cacheable) {
    if (key === undefined || operation.ignoresIdempotencyKey) {
      return told({ ...(await run()), replayed: false }, headers);
    }
    return told(await once(admitted.ctx, { route: `POST ${pathOf(asked)}`, key, input }, run), headers);
  }
  const said = `${asked.url} ${JSON.stringify(body)}`;
  const { body: answer } = await keptRead(
    operation,
    admitted.ctx,
    said,
    async () => (await run()).body ?? "",
  );
  return json(successOf(operation), headers, answer);
}

const pathOf = ({ url }: Asked) => url.split("?", 1)[0] ?? "";

function told({ status, body, replayed }: Outcome & { replayed: boolean }, headers: Answer["headers"]) {
  if (replayed) headers["idempotent-replayed"] = "true";
  return json(status, headers, body);
}

/**
 * A page says for whom it was opened, and in which workspace. Somebody else may have signed in since, in another
 * tab: what was typed here is not theirs, and what they may see is not to be mixed into this page.
 */
function refuseChangedSession({ header }: Asked, userId: string, organizationId?: string): void {
  const [forUser, inWorkspace] = header("x-page-of")?.split(" ") ?? [];
  const isSame =
    (forUser === undefined || forUser === userId) &&
    (inWorkspace === undefined || organizationId === undefined || inWorkspace === organizationId);
  if (isSame) return;
  throw new Refusal(
    "session_changed",
    "Somebody else has signed in since, or another workspace was chosen. Nothing was sent. Reload the page.",
  );
}

/** The role must allow it; and what is not paid for can be looked at, not changed. */
export function authorizeMember(operation: AnyOperation, { ctx, subscriptionStatus }: Admitted): void {
  authorize(operation, ctx);
  if (subscriptionStatus !== "active" && changes(operation)) throw unpaid();
}

/** A form of another site can send a body too, but not one that says it is JSON. */
export async function jsonBody(asked: Asked, operation: AnyOperation): Promise<Record<string, unknown>> {
  const type = asked.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Refusal(
      "unsupported_media_type",
      "Send the body as JSON, with content-type: application/json.",
    );
  }
  return (await bodyInput(asked, operation, {})).body;
}
