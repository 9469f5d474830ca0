import type { Metadata } from "next";
import { Confirmation } from "#components/accounts/confirmation.tsx";
import { Frame } from "#components/accounts/frame.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Refusal } from "#lib/core/errors.ts";
import { performAsMember } from "#lib/doors/page.ts";

export const metadata: Metadata = { title: "Confirm your address", referrer: "no-referrer" };

export default async function ConfirmPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const found = await performAsMember("account.readSignUp", { token }).catch((error) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (!found) {
    return (
      <Frame
        title="This link no longer works"
        lead="It was used, or it is older than an hour. If you have confirmed your address, sign in; otherwise sign up again."
      >
        <ButtonLink href="/sign-in" variant="primary" size="lg">
          Sign in
        </ButtonLink>
        <ButtonLink href="/sign-up" size="lg">
          Sign up again
        </ButtonLink>
      </Frame>
    );
  }
  return (
    <Frame
      title={`Welcome, ${found.name}`}
      lead={`Choose a password to create the workspace ${found.workspaceName}.`}
    >
      <Confirmation token={token} email={found.email} />
    </Frame>
  );
}
