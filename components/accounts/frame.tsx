import type { ReactNode } from "react";
import { Logo } from "#components/shell/logo.tsx";

/** The layout of pages for people who are not signed in: one task, in the middle. */
export function Frame({
  title,
  lead,
  children,
  footer,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
}) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col px-5 py-8 sm:pt-[14vh]">
      <Logo className="mb-8 text-base" />
      <h1 className="wrap-anywhere font-semibold text-xl tracking-[-0.015em]">{title}</h1>
      {lead && <p className="wrap-anywhere mt-1.5 text-base text-quiet">{lead}</p>}
      <div className="mt-6 grid gap-5">{children}</div>
      {footer && <div className="mt-8 border-line border-t pt-4 text-quiet">{footer}</div>}
    </main>
  );
}
