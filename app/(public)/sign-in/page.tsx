import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { nextPath } from "#components/accounts/next-path.ts";
import { SignInForm } from "#components/accounts/sign-in-form.tsx";
import { Link } from "#components/ui/link.tsx";
import { performAsMember } from "#lib/doors/page.ts";
import { signInProblem } from "#lib/doors/session-client.ts";

export const metadata: Metadata = { title: "Sign in" };

type Query = Record<string, string | string[] | undefined>;

export default async function SignInPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { next, error } = await searchParams;
  const { signUp, providers } = await performAsMember("account.ways", {});
  return (
    <Frame
      title="Sign in"
      footer={
        signUp === "open" ? (
          <>
            New here? <Link href="/sign-up">Create a workspace</Link>
          </>
        ) : (
          "Accounts are created by invitation. Ask an admin of your workspace for one."
        )
      }
    >
      <SignInForm
        next={nextPath(next)}
        providers={providers}
        refused={typeof error === "string" ? signInProblem(error).message : null}
      />
    </Frame>
  );
}
