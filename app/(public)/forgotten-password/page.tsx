import type { Metadata } from "next";
import { Frame } from "#components/accounts/frame.tsx";
import { ForgottenPasswordForm } from "#components/accounts/password-forms.tsx";
import { Link } from "#components/ui/link.tsx";

export const metadata: Metadata = { title: "Forgot password?" };

export default function ForgottenPasswordPage() {
  return (
    <Frame
      title="Forgot password?"
      lead="We will send you a link to set a new one."
      footer={<Link href="/sign-in">Back to sign-in</Link>}
    >
      <ForgottenPasswordForm />
    </Frame>
  );
}
