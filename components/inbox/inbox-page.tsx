"use client";
/** The member's notifications, newest first: those that are open, or those marked as done. */
import { clsx } from "clsx";
import { Check, CheckCheck, Inbox as InboxIcon, Settings, Undo2 } from "lucide-react";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useFading } from "#components/fading.ts";
import { useFocusNext } from "#components/focus-next.ts";
import { useLastPage } from "#components/last-page.ts";
import { ObligationBadge } from "#components/obligations/status.tsx";
import { useAct, useOperation } from "#components/query.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Names } from "#components/ui/bits.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { Ago, DayText } from "#components/ui/time.tsx";
import { inboxViews } from "#lib/notifications/catalogue.ts";
import type { Notification } from "#lib/notifications/schema.ts";
import { aboutDay, addressOf, kindWords } from "./words.ts";

const parsers = {
  view: parseAsStringLiteral(inboxViews).withDefault("open"),
  page: parseAsInteger.withDefault(1),
};
const views = [
  { value: "open", label: "Open" },
  { value: "done", label: "Done" },
] as const;

export function InboxPage() {
  const [search, setSearch] = useQueryStates(parsers, { clearOnDefault: true });
  const input = { view: search.view, page: Math.max(1, search.page) };
  const reading = useOperation("notifications.list", input, { keepPrevious: true });
  const { error, isPrevious, refetch } = reading;
  const fading = useFading(isPrevious);
  const data = useLastPage(reading, (page) => setSearch({ page }));
  const mark = useMark();
  const { list, onAction } = useFocusNext<HTMLUListElement>(data?.data);
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader
          title="Inbox"
          description="What is due or overdue, assignments, mentions and approvals. Each appears once."
          actions={
            <ButtonLink href="/settings/notifications">
              <Settings aria-hidden />
              Settings
            </ButtonLink>
          }
        />
        <div className="flex flex-wrap items-center gap-2">
          <Segments
            label="Show"
            value={search.view}
            options={views}
            onValue={(view) => void setSearch({ view, page: null })}
          />
          {search.view === "open" && data && data.total > 0 && (
            <span className="ml-auto flex flex-wrap gap-2">
              <Button size="sm" onClick={() => mark({ as: "read" })}>
                <CheckCheck aria-hidden />
                Mark all as read
              </Button>
              <Button size="sm" onClick={() => mark({ as: "done" })}>
                <Check aria-hidden />
                Mark all as done
              </Button>
            </span>
          )}
        </div>
      </div>
      <div className={clsx("border-line border-t", fading)}>
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Loading your inbox" rows={8} />
        ) : data.data.length === 0 ? (
          <EmptyState
            icon={InboxIcon}
            title={search.view === "open" ? "You are up to date" : "Nothing done yet"}
          >
            {search.view === "open"
              ? "What is due, overdue or waiting for you appears here at 8:00 each morning, your time."
              : "What you mark as done stays here."}
          </EmptyState>
        ) : (
          <>
            <ul ref={list}>
              {data.data.map((each) => (
                <Row
                  key={each.id}
                  notification={each}
                  onMark={(as) => {
                    if (as !== "read") onAction(each.id);
                    mark({ ids: [each.id], as });
                  }}
                />
              ))}
            </ul>
            <div className="px-4 py-2.5 md:px-6">
              <Pagination
                {...data}
                what={data.total === 1 ? "notification" : "notifications"}
                onPage={(page) => void setSearch({ page }, { history: "push" })}
              />
            </div>
          </>
        )}
      </div>
    </>
  );
}

function useMark() {
  const mark = useAct("notifications.mark", { invalidates: ["notifications"] });
  return (input: Parameters<typeof mark.run>[0]) => void mark.run(input).catch(() => undefined);
}

interface RowProps {
  notification: Notification;
  onMark(as: "read" | "done" | "open"): void;
}

function Row({ notification, onMark }: RowProps) {
  const { kind, date, contract, counterparty, obligation, createdAt, readAt, doneAt, isOver } = notification;
  const { icon: Icon } = kindWords[kind];
  const isNew = readAt === null && doneAt === null && !isOver;
  const title = obligation?.title ?? contract.title;
  const whose = [...(obligation ? [contract.title] : []), ...(counterparty ? [counterparty.name] : [])];
  return (
    <li
      className={clsx(
        "relative flex items-start gap-3 border-line border-b px-4 py-3 hover:bg-well md:px-6",
        isNew && "bg-accent-soft/40",
      )}
    >
      <Icon aria-hidden className={clsx("mt-0.5 size-5 shrink-0", isNew ? "text-accent" : "text-faint")} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <NameLink
          href={addressOf(notification)}
          prefetch={false}
          onClick={() => isNew && onMark("read")}
          className={clsx(
            "[overflow-wrap:anywhere] after:absolute after:inset-0 sm:line-clamp-2",
            !isNew && "!font-normal",
          )}
        >
          {isNew && <span className="sr-only">New: </span>}
          {title}
        </NameLink>
        {whose.length > 0 && (
          <span className="text-quiet text-xs [overflow-wrap:anywhere]">
            <Names names={whose} />
          </span>
        )}
        <span className="text-xs [overflow-wrap:anywhere]">
          {aboutDay(notification)} <DayText value={date} />
          {kind === "ESCALATION" && obligation && `, assigned to ${obligation.assigneeName}`}
          {notification.endsOn && notification.endsOn !== date && (
            <>
              , the term ends on <DayText value={notification.endsOn} />
            </>
          )}
        </span>
        <span className="mt-0.5 flex flex-wrap items-center gap-2 text-faint text-xs">
          {obligation ? (
            <ObligationBadge status={obligation.status} />
          ) : (
            isOver && <Badge tone="neutral">No longer open</Badge>
          )}
          <Ago value={createdAt} />
        </span>
      </div>
      <IconButton
        size="sm"
        className="relative z-10"
        label={doneAt ? `Reopen: ${title}` : `Done: ${title}`}
        variant="secondary"
        onClick={() => onMark(doneAt ? "open" : "done")}
      >
        {doneAt ? <Undo2 aria-hidden /> : <Check aria-hidden />}
      </IconButton>
    </li>
  );
}
