/** The product for server components, on behalf of the person requesting the page. */
import { cookies, headers } from "next/headers";
import { cache } from "react";
import { addressHeader } from "#lib/http/proxy.ts";
import type { InputOf, OperationName, OutputOf } from "./client.ts";
import type { CurrentMember, PageDoor } from "./page-door.ts";
import { product } from "./product.ts";

const door = cache(async (): Promise<PageDoor> => {
  const [given, jar] = [await headers(), await cookies()];
  const header = (name: string) => (name === "cookie" ? jar.toString() : (given.get(name) ?? undefined));
  return product().openPage({ header, ip: given.get(addressHeader) });
});

/**
 * Runs an operation for the person requesting the page. Throws a Refusal: `signed_out`, `no_workspace`, `not_found`,
 * …
 */
export async function performAsMember<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  return (await (await door()).perform(name, input)) as OutputOf<Name>;
}

/** The member who requests the page, or why there is none, so that a layout can redirect. */
export async function currentMember(): Promise<CurrentMember | "signed_out" | "no_workspace"> {
  return (await door()).currentMember();
}

/** The time of the page's request. */
export async function pageTime(): Promise<Date> {
  return (await door()).now;
}
