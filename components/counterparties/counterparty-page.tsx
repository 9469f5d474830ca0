"use client";
/** The page of a counterparty: its contacts, contracts and notes. */
import { FileText, Pencil } from "lucide-react";
import { useState } from "react";
import { contractSearchQuery } from "#components/contracts/search.ts";
import { ContractStatusBadge } from "#components/contracts/status.tsx";
import { Money } from "#components/money.tsx";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Link, NameLink } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { EmptyState, PagePending } from "#components/ui/states.tsx";
import { DayText } from "#components/ui/time.tsx";
import { inWords } from "#components/words.ts";
import type { CounterpartyDetail } from "#lib/overview/counterparties/schema.ts";
import { Contacts } from "./contacts.tsx";
import { Notes } from "./notes.tsx";

/** Loaded on demand, because it includes the form library. */
const CounterpartyDialog = lazily(() =>
  import("./counterparty-dialog.tsx").then((module) => module.CounterpartyDialog),
);

export function CounterpartyPage({ id }: { id: string }) {
  const may = useMay();
  const reading = useOperation("counterparties.read", { id });
  const [editing, setEditing] = useState(false);
  const { data } = reading;
  if (!data) return <PagePending reading={reading} label="Loading the counterparty" />;
  const { counterparty } = data;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-5 pb-12 md:px-6">
      <PageHeader
        title={counterparty.name}
        crumbs={[{ label: "Counterparties", href: "/counterparties" }]}
        badge={counterparty.relationshipTypes.map((type) => <Badge key={type}>{inWords(type)}</Badge>)}
        description={counterparty.domain}
        actions={
          may("counterparties:write") && (
            <Button onClick={() => setEditing(true)}>
              <Pencil aria-hidden />
              Edit
            </Button>
          )
        }
      />
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <ContractsOf counterparty={counterparty} />
        <div className="grid content-start gap-8">
          <Contacts counterpartyId={id} contacts={counterparty.contacts} />
          <Notes counterpartyId={id} notes={counterparty.notes} />
        </div>
      </div>
      {editing && <CounterpartyDialog counterparty={counterparty} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** The number of contracts shown; the list of contracts has all of them. */
const maxShown = 20;

function ContractsOf({ counterparty }: { counterparty: CounterpartyDetail }) {
  const { contracts, contractCount, id } = counterparty;
  return (
    <Section
      title="Contracts"
      actions={
        contractCount > 1 && (
          // The count includes archived contracts, which the list excludes by default.
          <Link href={`/contracts${contractSearchQuery({ counterpartyId: id, archived: "any" })}`}>
            All {contractCount} in the list
          </Link>
        )
      }
    >
      <Card>
        {contracts.length === 0 && (
          <EmptyState compact icon={FileText} title="No contracts with them yet">
            Choose them as the counterparty of a contract, and it appears here.
          </EmptyState>
        )}
        <ul>
          {contracts.slice(0, maxShown).map((contract) => (
            <li
              key={contract.id}
              className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2.5 last:border-b-0 hover:bg-well"
            >
              <div className="min-w-0 flex-1 basis-56">
                <NameLink
                  href={`/contracts/${contract.id}`}
                  prefetch={false}
                  className="after:absolute after:inset-0"
                >
                  {contract.title}
                </NameLink>
                <p className="text-quiet text-xs">
                  {inWords(contract.type)}
                  {contract.expiresAt && (
                    <>
                      {" · until "}
                      <DayText value={contract.expiresAt} />
                    </>
                  )}
                </p>
              </div>
              <Money cents={contract.valueCents} currency={contract.valueCurrency} empty="" />
              <ContractStatusBadge status={contract.status} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
