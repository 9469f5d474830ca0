"use client";
/** Home: what needs me now, what comes next, and the workspace in numbers. */
import { CheckCircle2, FileText } from "lucide-react";
import NextLink from "next/link";
import { contractSearchQuery } from "#components/contracts/search.ts";
import { ObligationMoves } from "#components/obligations/moves.tsx";
import { obligationSearchQuery } from "#components/obligations/search.ts";
import { ObligationBadge } from "#components/obligations/status.tsx";
import { useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { EnvelopeBadge } from "#components/signatures/status.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Link, NameLink } from "#components/ui/link.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { DayText, Money } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { OutputOf } from "#lib/api/client.ts";
import { dayOf, daysBetween } from "#lib/dates.ts";
import { awaited, ending, needed } from "./queries.ts";
import { RenewalChart } from "./renewal-chart.tsx";
import { StatusChart } from "./status-chart.tsx";

type Summary = OutputOf<"analytics.summary">["analytics"];

export function HomePage({ now }: { now: string }) {
  const { user } = useSession();
  const { data, error, again } = useOperation("analytics.summary", {});
  const total = Object.values(data?.analytics.contractsByStatus ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 pb-12 md:px-8 md:pt-8">
      <h1 className="font-semibold text-xl tracking-[-0.015em]">Welcome back, {user.name.split(" ")[0]}</h1>
      {error && !data ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={again} />
      ) : data && total === 0 ? (
        <Welcome />
      ) : (
        <>
          {data ? (
            <Numbers summary={data.analytics} />
          ) : (
            <SkeletonRows rows={2} label="Loading the numbers" />
          )}
          <div className="mt-8 grid gap-x-8 gap-y-9 lg:grid-cols-[minmax(0,1fr)_21rem]">
            <div className="grid min-w-0 content-start gap-9">
              <NeedsYou now={now} />
              <Ending now={now} />
            </div>
            <div className="grid min-w-0 content-start gap-9">
              <Awaited />
              {data && <StatusChart counts={data.analytics.contractsByStatus} />}
              {data && <OpenValue values={data.analytics.openValue} />}
            </div>
          </div>
        </>
      )}
    </div>
  );
}

function Welcome() {
  const may = useMay();
  return (
    <EmptyState
      icon={FileText}
      title="Your workspace is ready"
      action={
        may("contracts:write") && (
          <ButtonLink href="/contracts/new" variant="primary">
            Make the first contract
          </ButtonLink>
        )
      }
    >
      Begin with a contract: who it is with, from when, for how long. What has to be done by when follows from
      it.
    </EmptyState>
  );
}

function Numbers({ summary }: { summary: Summary }) {
  const { obligations, expiring, signing } = summary;
  const numbers = [
    {
      count: obligations.overdue,
      label: "overdue",
      href: `/obligations${obligationSearchQuery({ status: ["OVERDUE"] })}`,
      bad: true,
    },
    {
      count: obligations.due,
      label: "due within 30 days",
      href: `/obligations${obligationSearchQuery({ status: ["DUE"] })}`,
    },
    { count: expiring.d90, label: "end or renew within 90 days", href: "#ending" },
    {
      count: signing.open,
      label: "out for signature",
      href: "/signatures?status=SENT&status=PARTIALLY_SIGNED",
    },
  ];
  return (
    <ul className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      {numbers.map(({ count, label, href, bad }) => (
        <li key={label} className="bg-paper">
          <NextLink href={href} className="block h-full px-4 py-3 outline-offset-[-2px] hover:bg-well">
            <span
              className={`block font-semibold text-xl tabular-nums tracking-[-0.02em] ${bad && count > 0 ? "text-danger" : ""}`}
            >
              {count}
            </span>
            <span className="text-quiet text-xs">{label}</span>
          </NextLink>
        </li>
      ))}
    </ul>
  );
}

/** So many are read at a glance; the rest is in the list. */
const glance = 7;

function NeedsYou({ now }: { now: string }) {
  const { data, error, again } = useOperation("obligations.list", needed);
  const today = dayOf(new Date(now));
  return (
    <Section
      title="Needs you now"
      actions={
        data &&
        data.total > glance && (
          <Link href={`/obligations${obligationSearchQuery({ status: ["OVERDUE", "DUE", "SUGGESTED"] })}`}>
            All {data.total}
          </Link>
        )
      }
    >
      <Card>
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={again} />
        ) : !data ? (
          <SkeletonRows rows={4} label="Loading what needs you" />
        ) : data.data.length === 0 ? (
          <EmptyState icon={CheckCircle2} title="Nothing needs you now">
            Obligations come up here 30 days before they are due.
          </EmptyState>
        ) : (
          <ul>
            {data.data.slice(0, glance).map((obligation) => (
              <li
                key={obligation.id}
                className="relative flex items-center gap-3 border-line border-b px-4 py-2 last:border-b-0 hover:bg-well"
              >
                <div className="min-w-0 flex-1">
                  <NameLink
                    href={`/contracts/${obligation.contractId}`}
                    prefetch={false}
                    className="block truncate after:absolute after:inset-0"
                  >
                    {obligation.title}
                  </NameLink>
                  <span className="block text-quiet text-xs">{whenDue(obligation.resolvedDate, today)}</span>
                </div>
                <span className="max-sm:hidden">
                  <ObligationBadge status={obligation.status} />
                </span>
                <ObligationMoves obligation={obligation} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  );
}

function whenDue(date: string | null, today: ReturnType<typeof dayOf>) {
  if (!date) return "No date yet";
  const days = daysBetween(today, dayOf(new Date(date)));
  const words =
    days === 0 ? "today" : days < 0 ? `${counted(-days, "day")} late` : `in ${counted(days, "day")}`;
  return (
    <>
      <DayText value={date} />, {words}
    </>
  );
}

function Ending({ now }: { now: string }) {
  const { data } = useOperation("contracts.list", ending(now));
  if (!data || data.data.length === 0) return null;
  const { sort, dir, expiresFrom, expiresTo } = ending(now);
  const query = { status: ["EXECUTED", "ACTIVE"] as const, sort, dir, expiresFrom, expiresTo };
  const today = dayOf(new Date(now));
  return (
    <div id="ending" className="scroll-mt-6">
      <Section
        title="Ends or renews in the next 90 days"
        actions={
          <Link href={`/contracts${contractSearchQuery(query as never)}`}>All {data.total} in the list</Link>
        }
      >
        <Card>
          <RenewalChart contracts={data.data} today={today} />
          <ul className="border-line border-t">
            {data.data.slice(0, glance).map((contract) => (
              <li
                key={contract.id}
                className="relative flex items-center gap-4 border-line border-b px-4 py-2 last:border-b-0 hover:bg-well"
              >
                <div className="min-w-0 flex-1">
                  <NameLink
                    href={`/contracts/${contract.id}`}
                    prefetch={false}
                    className="block truncate after:absolute after:inset-0"
                  >
                    {contract.title}
                  </NameLink>
                  <span className="block truncate text-quiet text-xs">{contract.counterparty?.name}</span>
                </div>
                <span className="max-sm:hidden">
                  <Money cents={contract.valueCents} currency={contract.valueCurrency} empty="" />
                </span>
                <span className="text-right text-xs">
                  <DayText value={contract.expiresAt} />
                  <span className="block text-faint">{contract.autoRenews ? "renews" : "ends"}</span>
                </span>
              </li>
            ))}
          </ul>
        </Card>
      </Section>
    </div>
  );
}

function Awaited() {
  const { data } = useOperation("signatures.list", awaited);
  if (!data || data.data.length === 0) return null;
  return (
    <Section title="Waiting for others" actions={<Link href="/signatures">All</Link>}>
      <Card>
        <ul>
          {data.data.map(({ id, contract, status, progress }) => (
            <li key={id} className="relative border-line border-b px-4 py-2 last:border-b-0 hover:bg-well">
              <div className="flex items-center gap-3">
                <NameLink
                  href={`/contracts/${contract.id}`}
                  prefetch={false}
                  className="block min-w-0 flex-1 truncate after:absolute after:inset-0"
                >
                  {contract.title}
                </NameLink>
                <EnvelopeBadge status={status} />
              </div>
              <p className="text-quiet text-xs">
                {progress.signedCount} of {progress.totalSigners} signed
                {progress.awaitingSigner && `, waiting for ${progress.awaitingSigner.name}`}
              </p>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function OpenValue({ values }: { values: Summary["openValue"] }) {
  if (values.length === 0) return null;
  return (
    <Section title="Value of open contracts">
      <Card className="px-4 py-1">
        <dl>
          {values.map(({ currency, valueCents }) => (
            <div
              key={currency}
              className="flex items-baseline justify-between border-line border-b py-2 last:border-b-0"
            >
              <dt className="text-quiet">{currency}</dt>
              <dd className="font-medium">
                <Money cents={valueCents} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </Section>
  );
}
