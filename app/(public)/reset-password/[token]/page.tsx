import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { ResetPasswordForm } from "#components/accounts/password-forms.tsx";
import { Link } from "#components/ui/link.tsx";

export const metadata: Metadata = { title: "New password", referrer: "no-referrer" };

export default async function ResetPasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <Frame title="Set a new password" footer={<Link href="/forgotten-password">Send another link</Link>}>
      <ResetPasswordForm token={token} />
    </Frame>
  );
}
