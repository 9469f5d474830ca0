/** The members' door for server components: the same operations, in this process, for the first paint. */

import { cookies, headers } from "next/headers";
import { cache } from "react";
import { clock } from "#lib/core/clock.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { execute } from "#lib/core/execute.ts";
import { addressHeader } from "#lib/http/proxy.ts";
import { findOperation } from "#lib/operations.ts";
import { type Admitted, admitMember, admitPerson, admitVisitor, type Knock } from "./admit.ts";
import type { InputOf, OperationName, OutputOf } from "./client.ts";
import { authorizeMember } from "./member.ts";
import { requireFreshPassword } from "./step-up.ts";

/** One moment, and one look at the session, for all that a page asks. */
const knock = cache(async (): Promise<Knock> => {
  const [given, jar] = [await headers(), await cookies()];
  const header = (name: string) => (name === "cookie" ? jar.toString() : (given.get(name) ?? undefined));
  const ip = given.get(addressHeader);
  return { method: "GET", header, ip, requestId: crypto.randomUUID(), now: clock() };
});

const member = cache(async (): Promise<Admitted> => admitMember(await knock()));

/** Runs an operation for whoever asks for the page. Throws a Refusal: `signed_out`, `no_workspace`, `not_found`, … */
export async function performAsMember<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  const found = findOperation(name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  const { door, operation } = found;
  if (door === "visitor") return execute(operation, await admitVisitor(await knock()), input);
  if (door === "person") return execute(operation, await admitPerson(await knock()), input);
  const admitted = await member();
  authorizeMember(operation, admitted);
  await requireFreshPassword(name, admitted.ctx, input);
  return execute(operation, admitted.ctx, input);
}

/** Who asks for the page. */
export interface CurrentMember {
  user: { id: string; name: string; email: string };
  role: "owner" | "admin" | "member" | "viewer";
  scopes: Context["scopes"];
  organizationId: string;
  /** False: everything can be looked at, nothing changed. */
  isPaid: boolean;
}

/** The member who asks for the page, or why nobody does: for a layout to send them where they can help it. */
export async function currentMember(): Promise<CurrentMember | "signed_out" | "no_workspace"> {
  try {
    const { ctx, subscriptionStatus } = await member();
    if (ctx.actor.kind !== "user") return "signed_out";
    const { id, name, email, role } = ctx.actor;
    const { organizationId, scopes } = ctx;
    return {
      user: { id, name, email },
      role,
      scopes,
      organizationId,
      isPaid: subscriptionStatus === "active",
    };
  } catch (error) {
    if (error instanceof Refusal && (error.code === "signed_out" || error.code === "no_workspace")) {
      return error.code;
    }
    throw error;
  }
}
