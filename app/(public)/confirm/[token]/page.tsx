import type { Metadata } from "next";
import { Confirmation } from "#components/accounts/confirmation.tsx";
import { Frame } from "#components/accounts/frame.tsx";

export const metadata: Metadata = { title: "Confirm your address", referrer: "no-referrer" };

export default async function ConfirmPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <Frame title="Confirm your address" lead="One click, and your workspace is made.">
      <Confirmation token={token} />
    </Frame>
  );
}
