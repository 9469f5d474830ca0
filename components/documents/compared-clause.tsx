"use client";
import { clsx } from "clsx";
import { memo } from "react";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import type { ComparedClause } from "#lib/contracts/schema.ts";

const kinds: Record<ComparedClause["kind"], [string, Tone] | null> = {
  same: null,
  changed: ["Changed", "info"],
  added: ["Added", "good"],
  removed: ["Removed", "bad"],
  moved: ["Moved", "review"],
};

/** One clause: its heading, its page, and its text with additions and removals marked. */
export const ComparedClauseView = memo(function ComparedClauseView({
  clause,
  isCurrent,
}: {
  clause: ComparedClause;
  isCurrent: boolean;
}) {
  const { kind, heading, from, to, words } = clause;
  const label = (to ?? from)?.label;
  const title = [label, isTitle(clause) ? heading : ""].filter(Boolean).join(" ");
  const badge = kinds[kind];
  return (
    <li
      {...(kind === "same" ? {} : { "data-change": true, tabIndex: -1 })}
      // Skip the layout of clauses far outside the viewport: contracts can have thousands of them.
      style={{ contentVisibility: "auto", containIntrinsicSize: "auto 4rem" }}
      className={clsx(
        "rounded-md border px-4 py-3",
        isCurrent ? "border-accent bg-accent-soft" : kind === "same" ? "border-transparent" : "border-line",
      )}
    >
      <div className="mb-1 flex flex-wrap items-baseline gap-x-2 gap-y-1">
        {title && <h2 className="font-semibold">{title}</h2>}
        {badge && <Badge tone={badge[1]}>{badge[0]}</Badge>}
        <span className="ml-auto whitespace-nowrap text-quiet text-xs tabular-nums">
          {placeText(from, to)}
        </span>
      </div>
      <p className={clsx("break-words text-base", kind === "same" && "text-quiet")}>
        {words.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the two documents do not change.
          <Words key={index} part={part} />
        ))}
      </p>
    </li>
  );
});

/**
 * Returns whether the heading is a title of its own. A clause without one is named after its first words,
 * which follow anyway.
 */
function isTitle({ heading, words }: ComparedClause): boolean {
  const isShort = heading.split(" ").length <= longestTitleWords && !heading.endsWith("…");
  return heading !== "" && isShort && words.map(({ text }) => text).join(" ").length > heading.length + 8;
}

const longestTitleWords = 6;

/** Marks changes by underline or strikethrough, not by color alone, and with text for screen readers. */
function Words({ part: { kind, text } }: { part: ComparedClause["words"][number] }) {
  if (kind === "same") return <>{text} </>;
  if (kind === "added") {
    return (
      <>
        <ins className="rounded-sm bg-tone-good px-0.5 text-on-good underline decoration-2 underline-offset-2">
          <span className="sr-only">added: </span>
          {text}
        </ins>{" "}
      </>
    );
  }
  return (
    <>
      <del className="rounded-sm bg-tone-bad px-0.5 text-on-bad line-through">
        <span className="sr-only">removed: </span>
        {text}
      </del>{" "}
    </>
  );
}

/** Returns page numbers in words. The API counts pages from 0, people from 1. */
function placeText(from: ComparedClause["from"], to: ComparedClause["to"]): string {
  if (!from) return to ? `page ${to.page + 1}` : "";
  if (!to || to.page === from.page) return `page ${from.page + 1}`;
  return `page ${from.page + 1} → ${to.page + 1}`;
}
