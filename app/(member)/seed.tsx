/** Reads a page's initial data on the server, so that it arrives with the page. */
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import type { ServerResult } from "#components/operation.ts";
import { Seeded } from "#components/query.tsx";
import { Refusal } from "#lib/core/errors.ts";
import type { InputOf, OperationName } from "#lib/doors/client.ts";
import { pageTime, performAsMember } from "#lib/doors/page.ts";

interface Read extends Omit<ServerResult, "output"> {
  answer(): Promise<unknown>;
}

/** Returns a read operation to run on the server. */
export function read<Name extends OperationName>(name: Name, input: InputOf<Name>): Read {
  return { name, input, answer: () => performAsMember(name, input) };
}

/** Like `read`, for the first page of a list with a cursor. */
export function readFeed<Name extends OperationName>(name: Name, input: InputOf<Name>): Read {
  return { ...read(name, input), isFeed: true };
}

export async function Seed({ asks, children }: { asks: Read[]; children: ReactNode }) {
  const answers = await Promise.all(asks.map(readWithTimeout));
  return (
    <Seeded answers={answers.filter((answer) => answer !== null)} at={(await pageTime()).getTime()}>
      {children}
    </Seeded>
  );
}

/** The timeout of a read. After it, the browser requests the data itself and shows a loading state. */
const patienceMs = 500;

async function readWithTimeout(asked: Read): Promise<ServerResult | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), patienceMs);
  try {
    return await Promise.race([answerOf(asked), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a read. Returns null for refusals not handled here: the browser then requests it again and shows the
 * error.
 */
async function answerOf({ answer, ...asked }: Read): Promise<ServerResult | null> {
  try {
    return { ...asked, output: await answer() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "not_found") notFound();
    if (error.code === "signed_out") redirect("/sign-in");
    return null;
  }
}
