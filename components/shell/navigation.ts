/** Where one can go from everywhere. An entry is here once its page is. */
import { Building2, CalendarClock, FileStack, FileText, House, type LucideIcon, PenLine } from "lucide-react";
import type { PeopleScope, Scope } from "#lib/scopes.ts";

export interface Destination {
  label: string;
  href: `/${string}`;
  icon: LucideIcon;
  /** Pressed after g. */
  key: string;
  scope: Scope | PeopleScope;
}

export const destinations: Destination[] = [
  { label: "Home", href: "/home", icon: House, key: "h", scope: "contracts:read" },
  { label: "Contracts", href: "/contracts", icon: FileText, key: "c", scope: "contracts:read" },
  { label: "Obligations", href: "/obligations", icon: CalendarClock, key: "o", scope: "obligations:read" },
  { label: "Signatures", href: "/signatures", icon: PenLine, key: "s", scope: "signatures:read" },
  {
    label: "Counterparties",
    href: "/counterparties",
    icon: Building2,
    key: "p",
    scope: "counterparties:read",
  },
  { label: "Templates", href: "/templates", icon: FileStack, key: "t", scope: "templates:read" },
];

/** Whether a page belongs to a destination. */
export function isWithin(pathname: string, href: string): boolean {
  return pathname === href || pathname.startsWith(`${href}/`);
}
