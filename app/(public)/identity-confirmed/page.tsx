import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { signInProblem } from "#lib/doors/session-client.ts";

export const metadata: Metadata = { title: "Confirmation" };

type Query = Record<string, string | string[] | undefined>;

/** The page that a sign-in provider redirects to, in the tab that was opened for it. */
export default async function IdentityConfirmed({ searchParams }: { searchParams: Promise<Query> }) {
  const { error } = await searchParams;
  if (typeof error === "string") {
    return <Frame title="Your identity was not confirmed" lead={signInProblem(error).message} />;
  }
  return <Frame title="Confirmed" lead="Close this tab to continue in the other one." />;
}
