"use client";
/** Search by name in the palette. Results arrive shortly after typing, and Enter waits for them. */
import { Building2, FileStack, FileText, type LucideIcon, PenLine, UserRound } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { isOfComposition } from "#components/ui/composition.ts";
import { inWords } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import { Group, Row } from "./palette-entries.tsx";

interface Name {
  id: string;
  icon: LucideIcon;
  label: string;
  hint?: string;
  href: string;
}

interface Named {
  heading: string;
  names: Name[];
}

function namedIn(found: OutputOf<"search.jump">): Named[] {
  const { contracts, counterparties, contacts, signatureRequests, templates } = found;
  return [
    {
      heading: "Contracts",
      names: contracts.map(({ id, title, counterpartyName, status }) => ({
        id,
        icon: FileText,
        label: title,
        hint: [counterpartyName, inWords(status)].filter(Boolean).join(" · "),
        href: `/contracts/${id}`,
      })),
    },
    {
      heading: "Counterparties",
      names: counterparties.map(({ id, name }) => ({
        id,
        icon: Building2,
        label: name,
        href: `/counterparties/${id}`,
      })),
    },
    {
      heading: "Contacts",
      names: contacts.map(({ id, name, email, counterpartyId, counterpartyName }) => ({
        id,
        icon: UserRound,
        label: name,
        hint: `${email} · ${counterpartyName}`,
        href: `/counterparties/${counterpartyId}`,
      })),
    },
    {
      heading: "Signature requests",
      names: signatureRequests.map(({ id, contractTitle, status }) => ({
        id,
        icon: PenLine,
        label: contractTitle,
        hint: inWords(status),
        href: `/signatures/${id}`,
      })),
    },
    {
      heading: "Templates",
      names: templates.map(({ id, name }) => ({
        id,
        icon: FileStack,
        label: name,
        href: `/templates/${id}`,
      })),
    },
  ];
}

export interface Names {
  groups: Named[];
  /** Whether results are pending, for the first search or a later one. */
  isSearching: boolean;
  /** Why the search failed; null if it did not. */
  error: string | null;
  /**
   * Handles Enter while the listed results are for previous words: opens a result once the current ones
   * arrive.
   */
  onEnter(event: KeyboardEvent<HTMLElement>): void;
}

/** Searches names for the words in `search`. Calls `onGo` when an Enter pressed earlier can be carried out. */
export function useNames(search: string, onGo: (href: string) => void): Names {
  const words = search.trim();
  const q = useDebounced(words, 120);
  const found = useOperation("search.jump", { q }, { enabled: q !== "", keepPrevious: true });
  const [awaited, setAwaited] = useState<{ words: string; chosen: string | undefined }>();
  const groups = words !== "" && found.data ? namedIn(found.data) : [];
  const names = groups.flatMap((group) => group.names);
  const isOlder = q !== words || found.isPrevious;
  const isSearching = isOlder || found.isFetching;
  const isComing = isOlder || (found.data === undefined && found.isFetching);
  const goOn = useEffectEvent(() => {
    setAwaited(undefined);
    if (awaited?.words !== words) return;
    const wanted = names.find(({ id }) => id === awaited.chosen) ?? names[0];
    if (wanted) onGo(wanted.href);
  });
  useEffect(() => {
    if (awaited && !isComing) goOn();
  }, [awaited, isComing]);
  return {
    groups,
    isSearching,
    error: words === "" || isSearching ? null : (found.error?.message ?? null),
    onEnter(event) {
      if (event.key !== "Enter" || isOfComposition(event) || !isComing) return;
      const row = event.currentTarget.querySelector('[role="option"][aria-selected="true"]');
      const chosen = row?.getAttribute("data-value") ?? undefined;
      // An action or a page does not depend on the results.
      if (chosen !== undefined && !names.some(({ id }) => id === chosen)) return;
      event.preventDefault();
      setAwaited({ words, chosen });
    },
  };
}

export function PaletteNames({ groups, onGo }: Pick<Names, "groups"> & { onGo(href: string): void }) {
  return groups.map(({ heading, names }) => (
    <Group key={heading} heading={heading}>
      {names.map(({ id, icon, label, hint, href }) => (
        <Row key={id} value={id} icon={icon} hint={hint} onSelect={() => onGo(href)}>
          {label}
        </Row>
      ))}
    </Group>
  ));
}
