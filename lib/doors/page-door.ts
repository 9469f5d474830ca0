/** The members' door for server components: the same operations, in this process, for the first paint. */
import { randomUUID } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import { retryDuringOutage } from "#lib/core/connections/retry.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import type { Admission } from "#lib/http/door.ts";
import type { Caller } from "#lib/http/exchange.ts";
import { handleInProcess } from "#lib/http/pipeline.ts";
import { findOperation, type PageDoor as PageDoorName } from "#lib/operations.ts";
import { pageDoors } from "./member.ts";

/** The request for a page. */
export type PageRequest = Pick<Caller, "header" | "ip">;

/** The member who requests a page. */
export interface CurrentMember {
  user: { id: string; name: string; email: string };
  role: "owner" | "admin" | "member" | "viewer";
  scopes: Context["scopes"];
  organizationId: string;
  /** False: everything can be read, nothing changed. */
  isPaid: boolean;
}

/** One point in time, and one lookup of the session, for everything that a page reads. */
export class PageDoor {
  readonly now = clock();
  readonly #caller: Caller;
  readonly #admissions = new Map<PageDoorName, Promise<Admission<unknown>>>();
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(request: PageRequest) {
    this.#caller = { ...request, method: "GET", requestId: randomUUID(), now: this.now };
  }

  /**
   * Runs an operation. What both a page and its title need is read once. Throws a Refusal: `signed_out`,
   * `no_workspace`, `not_found`, …
   */
  perform(name: string, input: unknown): Promise<unknown> {
    const text = JSON.stringify(input);
    return once(this.#answers, `${name} ${text}`, () => this.#perform(name, JSON.parse(text)));
  }

  /** The member who requests the page, or why there is none, so that a layout can redirect. */
  async currentMember(): Promise<CurrentMember | "signed_out" | "no_workspace"> {
    try {
      const { ctx, subscriptionStatus } = (await this.#admit("member")) as Admission<Context>;
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

  async #perform(name: string, input: unknown): Promise<unknown> {
    const found = findOperation(name);
    if (!found) throw new Error(`There is no operation ${name}.`);
    const { door, operation } = found;
    const call = { name, operation, caller: this.#caller };
    const admission = await this.#admit(door);
    // Reads of a page can be retried: reloading it does the same.
    return retryDuringOutage(() => handleInProcess(pageDoors[door], admission, call, input));
  }

  #admit(door: PageDoorName): Promise<Admission<unknown>> {
    return once(this.#admissions, door, () => retryDuringOutage(() => pageDoors[door].admit(this.#caller)));
  }
}

function once<Key, T>(known: Map<Key, Promise<T>>, key: Key, ask: () => Promise<T>): Promise<T> {
  const answer = known.get(key) ?? ask();
  known.set(key, answer);
  return answer;
}
