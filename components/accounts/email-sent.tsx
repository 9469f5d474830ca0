import { MailCheck } from "lucide-react";
import type { ReactNode } from "react";

/** Says that an e-mail was sent, and what to do next. */
export function EmailSent({ to, children }: { to: string; children: ReactNode }) {
  return (
    <div role="status" className="grid gap-2 rounded-lg border border-line bg-paper p-5">
      <MailCheck aria-hidden className="size-5 text-accent" />
      <p className="font-semibold text-base">Check your e-mail</p>
      <p className="text-quiet">
        We sent an e-mail to <strong className="break-all font-medium text-ink">{to}</strong>. {children}
      </p>
    </div>
  );
}
