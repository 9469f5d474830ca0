import type { Metadata } from "next";
import { SigningPage } from "#components/signing/signing-page.tsx";

export const metadata: Metadata = { title: "Sign", referrer: "no-referrer", robots: { index: false } };

// Nothing happens here: whatever follows links before people do (mail scanners, previews) opens nothing.
export default async function Page({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <SigningPage token={token} />;
}
