"use client";
/** A contract's activity: what happened, when, and who did it, for everyone who may read the contract. */
import { Bot, Cog, PenLine } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { useFeed } from "#components/query.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { Section } from "#components/ui/card.tsx";
import { ChoiceFilter } from "#components/ui/filter.tsx";
import { ErrorState, Skeleton } from "#components/ui/states.tsx";
import { Ago, DateTime, DayText } from "#components/ui/time.tsx";
import { optionsOf } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import { type ActivityTopic, activityTopics } from "#lib/overview/activity/catalogue.ts";
import { phraseOf } from "./activity-words.ts";

const topics = optionsOf(activityTopics);

type Activity = OutputOf<"contracts.activity">["data"][number];

export function ContractActivity({ contractId }: { contractId: string }) {
  const [about, setAbout] = useState<ActivityTopic[]>([]);
  const { error, refetch, older, isLoadingOlder, ...feed } = useFeed("contracts.activity", {
    id: contractId,
    ...(about.length > 0 ? { about } : {}),
  });
  // Rendered at low priority, like comments.
  const pages = useDeferredValue(feed.pages, undefined);
  return (
    <Section
      id="activity"
      title="Activity"
      // A list that fits on one screen needs no filter.
      actions={
        (older || about.length > 0) && (
          <ChoiceFilter label="About" options={topics} selected={about} onSelect={setAbout} />
        )
      }
    >
      {error && !pages ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      ) : !pages ? (
        <Skeleton className="h-24 w-full" />
      ) : pages[0]?.data.length === 0 ? (
        <p className="text-quiet">No activity of this kind yet.</p>
      ) : (
        <>
          <ol className="relative -my-1 grid gap-2 before:absolute before:inset-y-2 before:left-3.5 before:w-px before:bg-line">
            {pages
              .flatMap(({ data }) => data)
              .map((activity) => (
                <Entry key={activity.id} activity={activity} />
              ))}
          </ol>
          {error && (
            <p role="alert" className="mt-3 text-danger text-sm">
              {error.message}
            </p>
          )}
          {older && (
            <Button size="sm" className="mt-4" busy={isLoadingOlder} onClick={older}>
              Show older
            </Button>
          )}
        </>
      )}
    </Section>
  );
}

function Entry({ activity: { by, action, createdAt, changes, reason } }: { activity: Activity }) {
  return (
    <li className="laid-out-in-view relative flex gap-3 py-1 [contain-intrinsic-size:auto_2.25rem]">
      <Mark>
        <ByWhom by={by} />
      </Mark>
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p>
          <span className="font-medium">
            {by.name ?? (by.kind === "SIGNER" ? "A signer" : "Countersign")}
            {by.assistant !== null && `, via ${by.assistant},`}
          </span>{" "}
          <span className="text-quiet">{phraseOf(action)}</span>
          <span className="text-faint text-xs">
            {" · "}
            <Ago value={createdAt} />
          </span>
        </p>
        {changes.length > 0 && (
          <ul className="mt-0.5 text-quiet text-xs">
            {changes.map(({ field, from, to }) => (
              <li key={field}>
                {field}:{" "}
                {from !== null && (
                  <>
                    <Value text={from} />
                    {" → "}
                  </>
                )}
                <span className="text-ink">
                  <Value text={to} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {reason && <p className="mt-0.5 border-line border-l-2 pl-2 text-quiet text-xs">{reason}</p>}
      </div>
    </li>
  );
}

function ByWhom({ by: { kind, name } }: { by: Activity["by"] }) {
  if (kind === "USER") return <Avatar name={name ?? ""} />;
  if (kind === "SIGNER") return <PenLine aria-hidden className="size-4" />;
  return kind === "API_KEY" ? <Bot aria-hidden className="size-4" /> : <Cog aria-hidden className="size-4" />;
}

function Mark({ children }: { children: ReactNode }) {
  return (
    <span className="z-10 grid size-7 shrink-0 place-items-center rounded-full bg-well text-quiet ring-4 ring-paper">
      {children}
    </span>
  );
}

function Value({ text }: { text: string | null }) {
  if (text === null) return "nothing";
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return <DayText value={text} />;
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? <DateTime value={text} /> : text;
}
