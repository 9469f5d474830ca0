/**
 * Handles a request at every door: admit → limit → authorize → read the input → run → respond. Cheap checks come
 * first, so that a rejected request costs the server little.
 */
import { retryDuringOutage } from "#lib/core/connections/retry.ts";
import { execute } from "#lib/core/execute.ts";
import type { Admission, Call, Door, Result } from "./door.ts";
import type { ApiResponse } from "./exchange.ts";
import { limitRate } from "./rate-limit.ts";
import { json } from "./respond.ts";
import { write } from "./write.ts";

/** Responds to a request for an operation, or throws the error. */
export async function handle<Ctx>(door: Door<Ctx>, call: Call): Promise<ApiResponse> {
  const { caller, headers } = call;
  caller.operation = call.name;
  if (door.limitBefore) await limitRate(door.limitBefore(caller), caller.now, headers);
  const admission = await retryDuringOutage(() => door.admit(caller));
  try {
    if (door.limit) await limitRate(door.limit(admission.ctx), caller.now, headers);
    door.authorize?.(call.operation, admission);
    const isRead = caller.method === "GET" || caller.method === "HEAD";
    const response =
      door.read && isRead
        ? await door.read(call, admission.ctx)
        : respondWith(await write(door, call, admission.ctx), door, call);
    admission.count?.(call.name, false);
    return response;
  } catch (error) {
    admission.count?.(call.name, true);
    throw error;
  }
}

function respondWith({ status, body, location, replayed }: Result, door: { basePath?: string }, call: Call) {
  const { headers } = call;
  if (location !== null && door.basePath !== undefined) headers.location = door.basePath + location;
  if (replayed) headers["idempotent-replayed"] = "true";
  return json(status, headers, body);
}

/** The same in this process, for pages: the caller is authenticated, and the input is given. */
export async function handleInProcess<Ctx>(
  door: Door<Ctx>,
  admission: Admission<Ctx>,
  call: Pick<Call, "name" | "operation" | "caller">,
  input: unknown,
): Promise<unknown> {
  door.authorize?.(call.operation, admission);
  const { ctx } = admission;
  const actor = door.admitInput ? await door.admitInput(ctx, input, { ...call, headers: {} }) : ctx;
  return execute(call.operation, actor, input);
}
