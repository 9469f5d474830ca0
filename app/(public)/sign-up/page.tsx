import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { SignUpForm } from "#components/accounts/sign-up-form.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Link } from "#components/ui/link.tsx";
import { performAsMember } from "#lib/doors/page.ts";

export const metadata: Metadata = { title: "Create a workspace" };

export default async function SignUpPage() {
  const { signUp, confirmsAddresses } = await performAsMember("account.ways", {});
  if (signUp === "closed") {
    return (
      <Frame
        title="Sign-up is closed"
        lead="Accounts are created by invitation here. Ask an admin of your workspace for one."
      >
        <ButtonLink href="/sign-in" size="lg">
          Go to sign-in
        </ButtonLink>
      </Frame>
    );
  }
  return (
    <Frame
      title="Create a workspace"
      lead="Contracts, their dates and their signatures in one place."
      footer={
        <>
          Have an account? <Link href="/sign-in">Sign in</Link>
        </>
      }
    >
      <SignUpForm confirmsAddresses={confirmsAddresses} />
    </Frame>
  );
}
