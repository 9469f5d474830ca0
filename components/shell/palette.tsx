"use client";
/** The palette (Ctrl-K): finds anything with a name, and lists pages and actions. */
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { type RefObject, useDeferredValue, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useMay } from "#components/session.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Scrim } from "#components/ui/scrim.tsx";
import { ContractMoves, type MoveToConfirm } from "./contract-moves.tsx";
import type { Place } from "./navigation.ts";
import { type ActionsProps, type PaletteAction, useActions, usePages } from "./palette-actions.ts";
import { PaletteClauses } from "./palette-clauses.tsx";
import { Group, Row } from "./palette-entries.tsx";
import { PaletteNames, useNames } from "./palette-names.tsx";
import { nothingTyped, type Typed } from "./typed-ahead.ts";
import { useSearch } from "./typed-before.ts";

const MoveDialog = lazily(() =>
  import("#components/contracts/move-dialog.tsx").then((module) => module.MoveDialog),
);

export interface PaletteProps extends ActionsProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  /** Returns what was typed before the palette was loaded. */
  takeTyped(): Typed;
  places: Place[];
}

export function Palette({ open, onOpenChange, takeTyped, places, contractId, ...acts }: PaletteProps) {
  const [asked, setAsked] = useState<MoveToConfirm | null>(null);
  const mayChange = useMay()("contracts:write");
  const pages = usePages(places);
  const actions = useActions({ contractId, ...acts });
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Radix.Root open={open} onOpenChange={onOpenChange}>
        <Radix.Portal>
          <Scrim />
          <Radix.Content
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              // Focus without selecting, or the next letter would replace what was typed before.
              event.preventDefault();
              input.current?.focus();
            }}
            className="fixed inset-x-3 top-[max(0.75rem,12dvh,var(--notice-end,0px))] z-50 mx-auto max-w-xl overflow-hidden rounded-xl bg-raised shadow-high outline-none data-[state=open]:animate-appear"
          >
            <Radix.Title className="sr-only">Search and actions</Radix.Title>
            <Results
              pages={pages}
              actions={actions}
              contractId={mayChange ? contractId : undefined}
              onAsk={setAsked}
              takeTyped={takeTyped}
              input={input}
              onDone={() => onOpenChange(false)}
            />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {asked && <MoveDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface RehearsalProps extends ActionsProps {
  places: Place[];
  onDone(): void;
}

/**
 * Renders the palette's content once, outside the document. Browsers compile code when it first runs; after
 * this, the palette opens in two thirds of the time.
 */
export function PaletteRehearsal({ places, contractId, onDone, ...acts }: RehearsalProps) {
  const [stage] = useState(() => document.createElement("div"));
  const pages = usePages(places);
  const actions = useActions({ contractId, ...acts });
  const input = useRef<HTMLInputElement>(null);
  useEffect(onDone, [onDone]);
  const shown = { pages, actions, input, takeTyped: () => nothingTyped, onAsk: onDone, onDone };
  return createPortal(<Results {...shown} />, stage);
}

/** The number of entries that fill the visible part of the list when it opens. */
const inSight = 8;

interface ResultsProps {
  pages: PaletteAction[];
  actions: PaletteAction[];
  /** The contract whose page is open, if the member may change it. */
  contractId?: string;
  onAsk(move: MoveToConfirm): void;
  takeTyped(): Typed;
  input: RefObject<HTMLInputElement | null>;
  onDone(): void;
}

function Results({ pages, actions, contractId, onAsk, takeTyped, input, onDone }: ResultsProps) {
  const router = useRouter();
  const [search, setSearch] = useSearch({ takeTyped, input });
  // Render the visible entries immediately, and those below in a deferred render.
  const isWhole = useDeferredValue(true, actions.length < inSight);
  const wanted = search.trim().toLowerCase();
  const fits = ({ label }: PaletteAction) => label.toLowerCase().includes(wanted);
  const go = (href: string) => {
    onDone();
    router.push(href);
  };
  const act = ({ run }: Pick<PaletteAction, "run">) => {
    onDone();
    run();
  };
  const names = useNames(search, go);
  return (
    <Command shouldFilter={false} loop label="Search and actions" onKeyDown={names.onEnter}>
      <Command.Input
        ref={input}
        value={search}
        onValueChange={setSearch}
        placeholder="Find a contract, a person, words in a document …"
        className="w-full border-line border-b bg-transparent px-4 py-3.5 text-base outline-none"
      />
      <Command.List className="max-h-[min(24rem,60dvh,calc(96dvh-4rem-var(--notice-end,0px)))] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-6 text-center text-quiet">
          {names.isSearching ? "Searching …" : names.error ? null : `Nothing matches “${search.trim()}”.`}
        </Command.Empty>
        {names.error && (
          <p role="alert" className="px-3 py-2 text-danger">
            {names.error}
          </p>
        )}
        <Group heading="Actions">
          {actions.filter(fits).map((action) => (
            <Row
              key={action.label}
              value={`action ${action.label}`}
              icon={action.icon}
              hint={action.keys}
              onSelect={() => act(action)}
            >
              {action.label}
            </Row>
          ))}
        </Group>
        {contractId && (
          <ContractMoves
            id={contractId}
            wanted={wanted}
            onMove={(run) => act({ run })}
            onAsk={(move) => act({ run: () => onAsk(move) })}
          />
        )}
        {wanted !== "" && (
          <>
            <PaletteNames groups={names.groups} onGo={go} />
            <PaletteClauses words={search.trim()} isReady={!names.isSearching} onGo={go} />
          </>
        )}
        <Group heading="Pages">
          {(isWhole ? pages : []).filter(fits).map((page) => (
            <Row
              key={page.label}
              value={`page ${page.label}`}
              icon={page.icon}
              hint={page.keys}
              onSelect={() => act(page)}
            >
              {page.label}
            </Row>
          ))}
        </Group>
      </Command.List>
    </Command>
  );
}
