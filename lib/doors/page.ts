/** The members' door for server components: the same operations, in this process, for the first paint. */

import { cookies, headers } from "next/headers";
import { cache } from "react";
import { clock } from "#lib/core/clock.ts";
import { untilAnswered } from "#lib/core/connections/again.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import type { Admission } from "#lib/http/door.ts";
import type { Caller } from "#lib/http/exchange.ts";
import { handleHere } from "#lib/http/pipeline.ts";
import { addressHeader } from "#lib/http/proxy.ts";
import { findOperation, type PageDoor } from "#lib/operations.ts";
import type { InputOf, OperationName, OutputOf } from "./client.ts";
import { pageDoors } from "./member.ts";

/** One moment, and one look at the session, for all that a page asks. */
const caller = cache(async (): Promise<Caller> => {
  const [given, jar] = [await headers(), await cookies()];
  const header = (name: string) => (name === "cookie" ? jar.toString() : (given.get(name) ?? undefined));
  const ip = given.get(addressHeader);
  return { method: "GET", header, ip, requestId: crypto.randomUUID(), now: clock() };
});

const admit = cache(async (door: PageDoor) =>
  untilAnswered(async () => pageDoors[door].admit(await caller())),
);

/** Runs an operation for whoever asks for the page. Throws a Refusal: `signed_out`, `no_workspace`, `not_found`, … */
export async function performAsMember<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  return (await perform(name, JSON.stringify(input))) as OutputOf<Name>;
}

/** What a page and its title both ask is read once. The key is text: objects are equal only to themselves. */
const perform = cache(async (name: OperationName, input: string): Promise<unknown> => {
  const found = findOperation(name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  const { door, operation } = found;
  const call = { name, operation, caller: await caller() };
  const admission = await admit(door);
  // Whatever a page asks may be asked again: reloading it does as much.
  return untilAnswered(() => handleHere(pageDoors[door], admission, call, JSON.parse(input)));
});

/** Who asks for the page. */
export interface CurrentMember {
  user: { id: string; name: string; email: string };
  role: "owner" | "admin" | "member" | "viewer";
  scopes: Context["scopes"];
  organizationId: string;
  /** False: everything can be looked at, nothing changed. */
  isPaid: boolean;
}

/** The member who asks for the page, or why no one does: for a layout to send them where they can help it. */
export async function currentMember(): Promise<CurrentMember | "signed_out" | "no_workspace"> {
  try {
    const { ctx, subscriptionStatus }: Admission<Context> = await admit("member");
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
