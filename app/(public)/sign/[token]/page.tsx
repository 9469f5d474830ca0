import type { Metadata } from "next";
import { SigningPage } from "#components/signing/signing-page.tsx";
import { currentMember } from "#lib/doors/page.ts";

export const metadata: Metadata = { title: "Sign", referrer: "no-referrer", robots: { index: false } };

// Rendering has no side effects: mail scanners and link previews that follow the link do not open the request.
export default async function Page({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const member = await currentMember();
  return <SigningPage token={token} memberOf={typeof member === "string" ? null : member.organizationId} />;
}
