"use client";
/** Compares two versions of a document clause by clause: what was added, removed and moved. */
import { ArrowLeftRight, ChevronDown, ChevronUp, Equal, GitCompareArrows } from "lucide-react";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { isForPage, useSingleKeys } from "#components/keys.ts";
import { useOperation } from "#components/query.tsx";
import { Kbd } from "#components/ui/bits.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Select } from "#components/ui/select.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { counted } from "#components/words.ts";
import type { Comparison } from "#lib/contracts/schema.ts";
import { ComparedClauseView } from "./compared-clause.tsx";

export function ComparisonPage({ contractId }: { contractId: string }) {
  const [{ from, to, only }, set] = useQueryStates({
    from: parseAsString,
    to: parseAsString,
    only: parseAsBoolean.withDefault(false),
  });
  const contract = useOperation("contracts.read", { id: contractId });
  const { data: versions } = useOperation("versions.list", { id: contractId });
  const isAsked = Boolean(from && to && from !== to);
  const compared = useOperation(
    "versions.compare",
    { contractId, from: from ?? "", to: to ?? "" },
    { enabled: isAsked, keepPrevious: true },
  );
  const options = (versions?.data ?? []).map(({ id, versionNumber, fileName }) => ({
    value: id,
    label: `Version ${versionNumber}: ${fileName}`,
  }));
  const choose = (side: "from" | "to") => ({
    value: (side === "from" ? from : to) ?? "",
    placeholder: "Choose a version",
    options,
    onChange: ({ target }: { target: { value: string } }) => void set({ [side]: target.value || null }),
  });
  const { data, error } = compared;
  return (
    <div className="mx-auto max-w-4xl px-4 pt-5 pb-16 md:px-6">
      <PageHeader
        title="Compare versions"
        crumbs={[
          { label: "Contracts", href: "/contracts" },
          { label: contract.data?.contract.title ?? "Contract", href: `/contracts/${contractId}` },
        ]}
      />
      <div className="mt-5 grid items-end gap-3 sm:grid-cols-[1fr_auto_1fr]">
        <Field label="From">
          <Select {...choose("from")} />
        </Field>
        <IconButton
          label="Swap the sides"
          variant="secondary"
          className="max-sm:justify-self-start"
          onClick={() => void set({ from: to, to: from })}
        >
          <ArrowLeftRight aria-hidden />
        </IconButton>
        <Field label="To">
          <Select {...choose("to")} />
        </Field>
      </div>
      {!isAsked ? (
        <EmptyState icon={GitCompareArrows} title="Choose two versions">
          The changes from the first to the second are shown here, word by word.
        </EmptyState>
      ) : error && (!data || compared.isPrevious) ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={compared.refetch} />
      ) : !data || compared.isPrevious ? (
        <div className="mt-6">
          <SkeletonRows label="Comparing the versions" rows={8} />
        </div>
      ) : (
        <Differences
          key={`${from} ${to}`}
          comparison={data}
          only={only}
          onOnly={(next) => void set({ only: next })}
        />
      )}
    </div>
  );
}

function Differences({
  comparison: { clauses, summary },
  only,
  onOnly,
}: {
  comparison: Comparison;
  only: boolean;
  onOnly(only: boolean): void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [at, setAt] = useState(-1);
  const count = clauses.filter(({ kind }) => kind !== "same").length;
  const turn = useChangeNavigation(list, count, at, setAt);
  const shown = only ? clauses.filter(({ kind }) => kind !== "same") : clauses;
  let change = -1;
  return (
    <>
      <div className="sticky top-0 z-10 -mx-4 mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-paper px-4 py-2.5 max-md:top-12 md:-mx-6 md:px-6">
        <Summary summary={summary} />
        <div className="ml-auto flex flex-wrap items-center gap-3">
          <Switch label="Only changes" checked={only} onChange={({ target }) => onOnly(target.checked)} />
          <div className="flex items-center gap-1">
            <ChangeButton label="Previous" letter="p" disabled={count === 0} onClick={() => turn(-1)} />
            <ChangeButton label="Next" letter="n" disabled={count === 0} onClick={() => turn(1)} />
          </div>
        </div>
      </div>
      {count === 0 ? (
        <EmptyState icon={Equal} title="No differences">
          The text of both versions is the same. Images and layout are not compared.
        </EmptyState>
      ) : (
        <ol ref={list} aria-label="Clauses" className="mt-4 grid gap-1">
          {shown.map((clause, index) => {
            if (clause.kind !== "same") change++;
            return (
              <ComparedClauseView
                // biome-ignore lint/suspicious/noArrayIndexKey: the two documents do not change.
                key={index}
                clause={clause}
                isCurrent={clause.kind !== "same" && change === at}
              />
            );
          })}
        </ol>
      )}
    </>
  );
}

/** Returns a function that moves to the next or previous change, as the keys n and p do. */
function useChangeNavigation(
  list: RefObject<HTMLOListElement | null>,
  count: number,
  at: number,
  setAt: (at: number) => void,
): (step: 1 | -1) => void {
  const turn = useCallback(
    (step: 1 | -1) => {
      if (count === 0) return;
      const next = at < 0 && step < 0 ? count - 1 : (at + step + count) % count;
      setAt(next);
      const changes = list.current?.querySelectorAll<HTMLElement>("[data-change]");
      changes?.[next]?.scrollIntoView({ block: "center" });
      changes?.[next]?.focus({ preventScroll: true });
    },
    [list, count, at, setAt],
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!["n", "p"].includes(event.key) || !isForPage(event)) return;
      event.preventDefault();
      // On other pages n creates a contract; here it moves to the next change instead.
      event.stopPropagation();
      turn(event.key === "n" ? 1 : -1);
    };
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, [turn]);
  return turn;
}

interface TurnButtonProps {
  label: string;
  letter: "n" | "p";
  disabled: boolean;
  onClick(): void;
}

function ChangeButton({ label, letter, ...button }: TurnButtonProps) {
  const Icon = letter === "n" ? ChevronDown : ChevronUp;
  const hasKey = useSingleKeys();
  return (
    <Button {...button} size="sm" aria-keyshortcuts={hasKey ? letter : undefined}>
      <Icon aria-hidden />
      {label}{" "}
      {hasKey && (
        <span className="max-sm:hidden">
          <Kbd>{letter}</Kbd>
        </span>
      )}
    </Button>
  );
}

function Summary({ summary }: { summary: Comparison["summary"] }) {
  const { changed, added, removed, moved, wordsAdded, wordsRemoved } = summary;
  const parts = [
    [changed, "changed"],
    [added, "added"],
    [removed, "removed"],
    [moved, "moved"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return (
    <p role="status">
      <span className="font-medium">
        {said.length === 0 ? "No clause differs" : `Clauses: ${said.join(", ")}`}
      </span>
      <span className="block text-quiet text-xs">
        {counted(wordsAdded, "word")} added, {counted(wordsRemoved, "word")} removed
      </span>
    </p>
  );
}
