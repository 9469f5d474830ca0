import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { InvitationForm } from "#components/accounts/invitation-form.tsx";
import { Providers } from "#components/accounts/providers.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Refusal } from "#lib/core/errors.ts";
import { performAsMember } from "#lib/doors/page.ts";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await performAsMember("account.readInvitation", { token }).catch((error) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  if (invitation?.status === "pending") {
    return (
      <Frame title={`Join ${invitation.workspaceName}`} lead={`Your role will be ${invitation.role}.`}>
        <InvitationForm token={token} {...invitation} />
        {!invitation.isSignedIn && <Providers next={`/invite/${token}`} providers={await providers()} />}
      </Frame>
    );
  }
  return (
    <Frame title="This invitation cannot be used" lead={whyNot(invitation?.status)}>
      <ButtonLink href="/sign-in" size="lg">
        Go to sign-in
      </ButtonLink>
    </Frame>
  );
}

/** Returns the sign-in providers for people without a password. */
const providers = async () => (await performAsMember("account.ways", {})).providers;

function whyNot(status: string | undefined): string {
  if (status === "accepted") return "It has already been accepted: sign in.";
  if (status === "expired") return "It has expired. Ask whoever invited you to send another one.";
  if (status === "revoked") return "It was revoked. Ask whoever invited you.";
  return "The link is incomplete or mistyped. Copy all of it from the e-mail.";
}
