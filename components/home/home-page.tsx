"use client";
/** Home: what needs the member now, what waits for others, and the state of the workspace. */
import { Archive, FileText } from "lucide-react";
import NextLink from "next/link";
import { contractSearchQuery } from "#components/contracts/search.ts";
import { Money } from "#components/money.tsx";
import { useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { useToday } from "#components/today.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DayText } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { Day } from "#lib/core/dates.ts";
import type { Home } from "#lib/overview/home/schema.ts";
import { addressOf } from "./list-address.ts";
import { NeedsYou } from "./needs-you.tsx";
import { RenewalChart } from "./renewal-chart.tsx";
import { glance, Row } from "./row.tsx";
import { StatusChart } from "./status-chart.tsx";

export function HomePage() {
  const { user } = useSession();
  const { data, error, refetch } = useOperation("home.summary", {});
  const today = useToday();
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 pb-12 md:px-8 md:pt-8">
      <h1 className="font-semibold text-xl tracking-[-0.015em]">Welcome, {user.name.split(" ")[0]}</h1>
      {error && !data ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows rows={8} label="Loading Home" />
      ) : data.home.contractsByStatus.every(({ count }) => count === 0) ? (
        <Welcome />
      ) : (
        <Overview home={data.home} today={today} />
      )}
    </div>
  );
}

/** For a Home without contracts: there are none yet, or all are archived. */
function Welcome() {
  const may = useMay();
  const { data, error } = useOperation("contracts.list", { archived: "true" });
  if (!data && !error) return <SkeletonRows rows={8} label="Loading Home" />;
  if (data && data.total > 0) {
    return (
      <EmptyState
        icon={Archive}
        title={data.total === 1 ? "The only contract is archived" : "All contracts are archived"}
        action={
          <ButtonLink href={`/contracts${contractSearchQuery({ archived: "true" })}`}>
            Show {counted(data.total, "archived contract")}
          </ButtonLink>
        }
      >
        Home leaves archived contracts out.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={FileText}
      title="Your workspace is ready"
      action={
        may("contracts:write") && (
          <ButtonLink href="/contracts/new" variant="primary">
            Create your first contract
          </ButtonLink>
        )
      }
    >
      Start with a contract: who it is with, when it begins, how long it runs. Countersign works out what has
      to be done by when.
    </EmptyState>
  );
}

function Overview({ home, today }: { home: Home; today: Day }) {
  const { mine, waiting, renewals, contractsByStatus, valueByCurrency } = home;
  return (
    <>
      <Numbers home={home} />
      <div className="mt-8 grid gap-x-8 gap-y-9 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid min-w-0 content-start gap-9">
          <NeedsYou mine={mine} today={today} />
          {renewals.count > 0 && <Renewals renewals={renewals} today={today} />}
        </div>
        <div className="grid min-w-0 content-start gap-9">
          {waiting.length > 0 && <Waiting waiting={waiting} />}
          <StatusChart counts={contractsByStatus} />
          {valueByCurrency.length > 0 && <OpenValue values={valueByCurrency} />}
        </div>
      </div>
    </>
  );
}

function Numbers({ home: { mine, workspace, renewals, signing } }: { home: Home }) {
  const numbers = [
    { of: mine.overdue, label: "of yours overdue", bad: true, all: workspace?.overdue },
    { of: mine.due, label: "of yours due within 30 days", all: workspace?.due },
    {
      of: renewals,
      label:
        renewals.count === 1
          ? "contract ends or renews within 90 days"
          : "contracts end or renew within 90 days",
    },
    {
      of: signing,
      label: signing.count === 1 ? "signature request in progress" : "signature requests in progress",
    },
  ];
  return (
    <ul className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      {numbers.map(({ of, label, bad, all }) => (
        <li key={label} className="relative bg-paper px-4 py-3 hover:bg-well">
          <NextLink
            href={addressOf(of)}
            prefetch={false}
            className="block outline-offset-[-2px] after:absolute after:inset-0"
          >
            <span
              className={`block font-semibold text-xl tabular-nums tracking-[-0.02em] ${bad && of.count > 0 ? "text-danger" : ""}`}
            >
              {of.count}
            </span>
            <span className="text-quiet text-xs">{label}</span>
          </NextLink>
          {all && all.count > of.count && (
            <NextLink
              href={addressOf(all)}
              prefetch={false}
              className="relative z-10 inline-block rounded-sm py-0.5 text-accent text-xs underline decoration-accent/35 underline-offset-2 hover:decoration-accent"
            >
              {all.count} in the workspace
            </NextLink>
          )}
        </li>
      ))}
    </ul>
  );
}

function Renewals({ renewals, today }: { renewals: Home["renewals"]; today: Day }) {
  return (
    <Section
      title="Ends or renews in the next 90 days"
      actions={<Link href={addressOf(renewals)}>All {renewals.count} in the list</Link>}
    >
      <Card>
        <RenewalChart byWeek={renewals.byWeek} today={today} />
        <ul className="border-line border-t">
          {renewals.next.slice(0, glance).map(({ id, title, expiresAt, autoRenews }) => (
            <Row key={id} href={`/contracts/${id}`} title={title}>
              <span className="text-right text-xs">
                <DayText value={expiresAt} />
                <span className="block text-faint">{autoRenews ? "renews" : "ends"}</span>
              </span>
            </Row>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Waiting({ waiting }: { waiting: Home["waiting"] }) {
  return (
    <Section title="Waiting for others" actions={<Link href="/signatures">All requests</Link>}>
      <Card>
        <ul>
          {waiting.map(({ envelopeId, contractTitle, signerName }) => (
            <Row
              key={envelopeId}
              href={`/signatures/${envelopeId}`}
              title={contractTitle}
              detail={`${signerName}'s turn`}
            />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function OpenValue({ values }: { values: Home["valueByCurrency"] }) {
  return (
    <Section title="Value of open contracts">
      <Card className="p-1">
        <ul>
          {values.map((value) => (
            <li key={value.currency}>
              <NextLink
                href={addressOf(value)}
                prefetch={false}
                className="flex flex-wrap items-baseline gap-x-2 rounded-md px-3 py-1.5 hover:bg-hover"
              >
                <span className="text-quiet">{value.currency}</span>
                <span className="text-faint text-xs">{counted(value.count, "contract")}</span>
                <span className="ml-auto font-medium">
                  <Money cents={value.valueCents} currency={value.currency} />
                </span>
              </NextLink>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
