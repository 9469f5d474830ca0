import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { Unsubscribe } from "#components/accounts/unsubscribe.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Refusal } from "#lib/core/errors.ts";
import { performAsMember } from "#lib/doors/page.ts";

export const metadata: Metadata = { title: "Unsubscribe", referrer: "no-referrer" };

export default async function UnsubscribePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const found = await performAsMember("unsubscription.read", { token: token.slice(0, 500) }).catch(
    (error) => {
      if (error instanceof Refusal) return null;
      throw error;
    },
  );
  if (!found) {
    return (
      <Frame
        title="This link is not complete"
        lead="Copy all of it from the e-mail, or sign in and change your notification settings."
      >
        <ButtonLink href="/settings/notifications" variant="primary" size="lg">
          Notification settings
        </ButtonLink>
      </Frame>
    );
  }
  return <Unsubscribe token={token} found={found} />;
}
