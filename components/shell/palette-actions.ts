"use client";
/** What the palette offers besides search results: pages with their icons, and actions available everywhere. */
import {
  Building2,
  CalendarDays,
  FileSpreadsheet,
  FileStack,
  Files,
  Inbox,
  Keyboard,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Plus,
  Send,
  TextCursorInput,
  UserPlus,
  Webhook,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useSingleKeys } from "#components/keys.ts";
import { useMay } from "#components/session.tsx";
import { settingsIcons } from "#components/settings/icons.ts";
import type { PeopleScope, Scope } from "#lib/core/scopes.ts";
import { destinations, type Place } from "./navigation.ts";

export interface PaletteAction {
  label: string;
  icon: LucideIcon;
  keys?: string | undefined;
  run(): void;
}

const icons: Record<Place["href"], LucideIcon> = {
  ...Object.fromEntries(destinations.map(({ href, icon }) => [href, icon])),
  ...settingsIcons,
  "/inbox": Inbox,
  "/approvals": ListChecks,
  "/obligations/calendar": CalendarDays,
  "/contracts/upload": Files,
  "/contracts/import": FileSpreadsheet,
};

export function usePages(places: Place[]): PaletteAction[] {
  const router = useRouter();
  const hasKeys = useSingleKeys();
  return places.map(({ label, href, key }) => ({
    label,
    icon: icons[href] ?? FileStack,
    keys: hasKeys && key ? `g ${key}` : undefined,
    run: () => router.push(href),
  }));
}

/** Actions that navigate to the address of a dialog, or of the list to choose from. */
const createActions: { label: string; icon: LucideIcon; href: string; scope: Scope | PeopleScope }[] = [
  { label: "New contract from a template", icon: FileStack, href: "/templates", scope: "contracts:write" },
  {
    label: "New counterparty",
    icon: Building2,
    href: "/counterparties?add=true",
    scope: "counterparties:write",
  },
  { label: "New template", icon: FileStack, href: "/templates?add=true", scope: "templates:write" },
  { label: "Invite someone", icon: UserPlus, href: "/settings/members?invite=true", scope: "members:write" },
  { label: "Create an API key", icon: KeyRound, href: "/settings/api-keys?new=true", scope: "keys:write" },
  {
    label: "Add a custom field",
    icon: TextCursorInput,
    href: "/settings/custom-fields?add=true",
    scope: "workspace:write",
  },
  {
    label: "Add a webhook endpoint",
    icon: Webhook,
    href: "/settings/webhooks?add=true",
    scope: "webhooks:write",
  },
];

export interface ActionsProps {
  /** The contract whose page is open. */
  contractId?: string;
  /** Null if the member may not create contracts. */
  newContract: (() => void) | null;
  openHelp(): void;
}

export function useActions({ contractId, newContract, openHelp }: ActionsProps): PaletteAction[] {
  const router = useRouter();
  const may = useMay();
  const hasKeys = useSingleKeys();
  const keys = (letter: string) => (hasKeys ? letter : undefined);
  const to = (href: string) => () => router.push(href);
  const send = contractId && may("signatures:write") ? to(`/contracts/${contractId}/send`) : null;
  return [
    ...(newContract ? [{ label: "New contract", icon: Plus, keys: keys("n"), run: newContract }] : []),
    ...createActions
      .filter(({ scope }) => may(scope))
      .map(({ label, icon, href }) => ({ label, icon, run: to(href) })),
    ...(send ? [{ label: "Send this contract for signature", icon: Send, run: send }] : []),
    { label: "Show keyboard shortcuts", icon: Keyboard, keys: keys("?"), run: openHelp },
  ];
}
