"use client";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { Logo } from "#components/shell/logo.tsx";
import { linkClass } from "#components/ui/link.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import { BackLink } from "./back-link.tsx";

export interface FrameProps {
  /** Null while the link is being opened, or if it cannot be. */
  state: CeremonyState | null;
  /** Shown at the right of the header. */
  actions?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

/** The layout of a signer's page: who sent what to whom, and whom to contact. */
export function Frame({ state, actions, isWide = false, children }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className={clsx("border-line border-b bg-paper", isWide && "print:hidden")}>
        <div className="mx-auto flex min-h-14 max-w-4xl items-center gap-3 px-4 py-2 sm:px-6">
          {state ? (
            <div className="min-w-0 flex-1">
              <p className="truncate font-semibold text-base">{state.subject}</p>
              <p className="truncate text-quiet text-xs">
                <bdi>{state.sender.workspaceName}</bdi> · for <bdi>{state.signer.name}</bdi>
              </p>
            </div>
          ) : (
            <Logo className="text-base" />
          )}
          <BackLink state={state} />
          {actions}
        </div>
      </header>
      <main className={clsx("mx-auto w-full flex-1", !isWide && "max-w-xl px-4 py-8 sm:py-14")}>
        {children}
      </main>
      {state && <Help state={state} />}
    </div>
  );
}

function Help({ state: { sender, subject } }: { state: CeremonyState }) {
  const mail = `mailto:${sender.email}?subject=${encodeURIComponent(subject)}`;
  return (
    <footer className="border-line border-t print:hidden">
      <div className="mx-auto flex max-w-4xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-4 text-quiet text-xs sm:px-6">
        <p>
          Questions? Ask {sender.name},{" "}
          <a className={linkClass} href={mail}>
            {sender.email}
          </a>
          .
        </p>
        <a className={clsx(linkClass, "py-1")} href="/verify">
          Check a signed document
        </a>
      </div>
    </footer>
  );
}

export interface NoticeProps {
  icon: ReactNode;
  tone?: "accent" | "good" | "bad";
  title: string;
  children?: ReactNode;
}

const tones = {
  accent: "bg-accent-soft text-accent",
  good: "bg-tone-good text-on-good",
  bad: "bg-tone-bad text-on-bad",
};

/** A status screen. It takes the focus, so that screen readers announce the change. */
export function Notice({ icon, tone = "accent", title, children }: NoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="grid gap-5">
      <span className={clsx("grid size-12 place-items-center rounded-xl [&_svg]:size-6", tones[tone])}>
        {icon}
      </span>
      <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl tracking-[-0.02em]">
        {title}
      </h1>
      <div className="grid gap-4 text-pretty text-base text-quiet">{children}</div>
    </div>
  );
}
