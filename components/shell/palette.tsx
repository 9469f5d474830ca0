"use client";
/** Ctrl-K: to anything with a name, to any page, and to what can be done. */
import { Command } from "cmdk";
import {
  ArrowRight,
  Building2,
  FileStack,
  FileText,
  type LucideIcon,
  PenLine,
  UserRound,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog as Radix } from "radix-ui";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useMove } from "#components/contracts/move.ts";
import { useDebounced } from "#components/debounced.ts";
import { useOperation } from "#components/query.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { inWords } from "#components/words.ts";
import { contractLifecycle } from "#lib/contracts/lifecycle.ts";
import { closesObligations } from "#lib/obligations/lifecycle.ts";

const EndDialog = lazily(() =>
  import("#components/contracts/end-dialog.tsx").then((module) => module.EndDialog),
);

export interface PaletteAction {
  label: string;
  icon: LucideIcon;
  keys?: string;
  run(): void;
}

export interface PaletteProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  pages: PaletteAction[];
  actions: PaletteAction[];
  /** The contract whose page is open, where it may be changed. */
  contractId?: string;
}

export function Palette({ open, onOpenChange, pages, actions, contractId }: PaletteProps) {
  const [ending, setEnding] = useState<Ending | null>(null);
  return (
    <>
      <Radix.Root open={open} onOpenChange={onOpenChange}>
        <Radix.Portal>
          <Radix.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade" />
          <Radix.Content
            aria-describedby={undefined}
            className="fixed inset-x-3 top-[max(0.75rem,12dvh)] z-50 mx-auto max-w-xl overflow-hidden rounded-xl bg-raised shadow-high outline-none data-[state=open]:animate-appear"
          >
            <Radix.Title className="sr-only">Search and actions</Radix.Title>
            <Results
              pages={pages}
              actions={actions}
              contractId={contractId}
              onEnd={setEnding}
              onDone={() => onOpenChange(false)}
            />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {ending && <EndDialog {...ending} onClose={() => setEnding(null)} />}
    </>
  );
}

interface ResultsProps {
  pages: PaletteAction[];
  actions: PaletteAction[];
  contractId?: string;
  onEnd(ending: Ending): void;
  onDone(): void;
}

function Results({ pages, actions, contractId, onEnd, onDone }: ResultsProps) {
  const router = useRouter();
  const [search, setSearch] = useState("");
  const q = useDebounced(search.trim(), 120);
  const wanted = search.trim().toLowerCase();
  const found = useOperation("search.jump", { q }, { enabled: q !== "", keepPrevious: true });
  const fits = ({ label }: PaletteAction) => label.toLowerCase().includes(wanted);
  const go = (href: string) => {
    onDone();
    router.push(href);
  };
  const act = ({ run }: Pick<PaletteAction, "run">) => {
    onDone();
    run();
  };
  const isSearching = q.toLowerCase() !== wanted || found.isFetching;
  return (
    <Command shouldFilter={false} loop label="Search and actions">
      <Command.Input
        value={search}
        onValueChange={setSearch}
        placeholder="Find a contract, a person, a page …"
        className="w-full border-line border-b bg-transparent px-4 py-3.5 text-base outline-none"
      />
      <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-6 text-center text-quiet">
          {isSearching ? "Searching …" : `Nothing matches “${search.trim()}”.`}
        </Command.Empty>
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
            onEnd={(ending) => act({ run: () => onEnd(ending) })}
          />
        )}
        {wanted !== "" && (
          <>
            <Group heading="Contracts">
              {(found.data?.contracts ?? []).map((contract) => (
                <Row
                  key={contract.id}
                  value={contract.id}
                  icon={FileText}
                  hint={[contract.counterpartyName, inWords(contract.status)].filter(Boolean).join(" · ")}
                  onSelect={() => go(`/contracts/${contract.id}`)}
                >
                  {contract.title}
                </Row>
              ))}
            </Group>
            <Group heading="Counterparties">
              {(found.data?.counterparties ?? []).map((counterparty) => (
                <Row
                  key={counterparty.id}
                  value={counterparty.id}
                  icon={Building2}
                  onSelect={() => go(`/counterparties/${counterparty.id}`)}
                >
                  {counterparty.name}
                </Row>
              ))}
            </Group>
            <Group heading="Contacts">
              {(found.data?.contacts ?? []).map(({ id, name, email, counterpartyId, counterpartyName }) => (
                <Row
                  key={id}
                  value={id}
                  icon={UserRound}
                  hint={`${email} · ${counterpartyName}`}
                  onSelect={() => go(`/counterparties/${counterpartyId}`)}
                >
                  {name}
                </Row>
              ))}
            </Group>
            <Group heading="Signature requests">
              {(found.data?.signatureRequests ?? []).map(({ id, contractTitle, status }) => (
                <Row
                  key={id}
                  value={id}
                  icon={PenLine}
                  hint={inWords(status)}
                  onSelect={() => go(`/signatures/${id}`)}
                >
                  {contractTitle}
                </Row>
              ))}
            </Group>
            <Group heading="Templates">
              {(found.data?.templates ?? []).map(({ id, name }) => (
                <Row key={id} value={id} icon={FileStack} onSelect={() => go(`/templates/${id}`)}>
                  {name}
                </Row>
              ))}
            </Group>
          </>
        )}
        <Group heading="Pages">
          {pages.filter(fits).map((page) => (
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

type Ending = Omit<ComponentProps<typeof EndDialog>, "onClose">;

interface ContractMovesProps {
  id: string;
  wanted: string;
  onMove(run: () => void): void;
  onEnd(ending: Ending): void;
}

/** Where the contract whose page is open may go. */
function ContractMoves({ id, wanted, onMove, onEnd }: ContractMovesProps) {
  const { data } = useOperation("contracts.read", { id });
  const status = data?.contract.status ?? "DRAFT";
  const moveTo = useMove({ id, status });
  const moves = data ? contractLifecycle[status].to : [];
  return (
    <Group heading="This contract">
      {moves
        .map((next) => ({ next, label: `Move to ${inWords(next).toLowerCase()}` }))
        .filter(({ label }) => label.toLowerCase().includes(wanted))
        .map(({ next, label }) => (
          <Row
            key={next}
            value={`move ${next}`}
            icon={ArrowRight}
            onSelect={() =>
              closesObligations(next)
                ? onEnd({ next, onMove: (reason) => moveTo(next, reason) })
                : onMove(() => void moveTo(next).catch(() => undefined))
            }
          >
            {label}
          </Row>
        ))}
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  );
}

interface RowProps {
  value: string;
  icon: LucideIcon;
  hint?: string;
  onSelect(): void;
  children: ReactNode;
}

function Row({ value, icon: Icon, hint, onSelect, children }: RowProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1.5 data-[selected=true]:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-quiet" />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="max-w-[45%] truncate text-faint text-xs">{hint}</span>}
    </Command.Item>
  );
}
