"use client";
/** Who is signed in, in which workspace, and what their role allows. */
import { createContext, type ReactNode, useContext } from "react";
import { type PeopleScope, type Role, rolesWith, type Scope } from "#lib/core/scopes.ts";

export interface Session {
  user: { id: string; name: string; email: string };
  role: Role;
  scopes: readonly string[];
  organizationId: string;
  workspaces: { organizationId: string; name: string; role: Role }[];
  /** Whether the subscription is active. If it is not, everything can be read but nothing changed. */
  isPaid: boolean;
  /** The workspace's currency, for amounts without one of their own. */
  currency: string;
  /** The currency codes that the server accepts; the browser's list may differ. */
  currencies: readonly string[];
}

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("This part of a page is for members: put it under app/(member).");
  return session;
}

/** Returns a function that checks whether the member has scopes. Actions without them are not offered. */
export function useMay(): (...needed: (Scope | PeopleScope)[]) => boolean {
  const { scopes, isPaid } = useSession();
  return (...needed) =>
    needed.every((scope) => scopes.includes(scope) && (isPaid || !scope.endsWith(":write")));
}

/**
 * Returns a function that says why the member may not do something that is shown anyway, or null if they may.
 */
export function useRefusal(): (...needed: (Scope | PeopleScope)[]) => string | null {
  const { role } = useSession();
  const may = useMay();
  return (...needed) => {
    if (may(...needed)) return null;
    const roles = rolesWith(needed);
    if (roles.includes(role)) return "The workspace's subscription is not active, so nothing can be changed.";
    return `This requires the role ${roles.join(" or ")}. Yours is ${role}.`;
  };
}
