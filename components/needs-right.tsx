"use client";
/** Wraps a page that needs a permission: without it, shows which is missing and who can grant it. */
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { useOperation } from "#components/query.tsx";
import { useRefusal } from "#components/session.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";

export interface NeedsRightProps {
  scopes: (Scope | PeopleScope)[];
  /** What the page is for, such as "create contracts". */
  act: string;
  back: { href: string; label: string };
  children: ReactNode;
}

export function NeedsRight({ scopes, act, back, children }: NeedsRightProps) {
  const refusal = useRefusal()(...scopes);
  if (refusal === null) return children;
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-6 py-14 text-center">
      <span className="mb-2 grid size-11 place-items-center rounded-xl bg-accent-soft text-accent">
        <Lock aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <h1 className="font-semibold text-base">You cannot {act} here</h1>
      <p className="text-pretty text-quiet">{refusal}</p>
      <WhoToAsk />
      <ButtonLink href={back.href} className="mt-3">
        {back.label}
      </ButtonLink>
    </div>
  );
}

/** Names up to three of the workspace's owners and admins. */
export function WhoToAsk() {
  const { data } = useOperation("members.list", {});
  const admins = (data?.data ?? []).filter(({ role }) => role === "owner" || role === "admin").slice(0, 3);
  if (admins.length === 0) return <p className="text-quiet">Ask an owner or admin of the workspace.</p>;
  return (
    <div className="text-quiet">
      <p>These people can help:</p>
      <ul>
        {admins.map(({ memberId, name, email }) => (
          <li key={memberId} className="wrap-anywhere">
            {name},{" "}
            <a href={`mailto:${encodeURIComponent(email)}`} className="underline">
              {email}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
