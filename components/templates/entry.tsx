"use client";
/** One entry of a list of settings, collapsed until it is edited. */
import { ChevronRight, Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "#components/ui/button.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Draft, DraftGate } from "./draft.ts";
import { useFold } from "./fold.ts";

export interface EntryProps {
  title: string;
  /** The tag in the document. */
  tag?: string;
  /** A few words that summarize its settings. */
  summary: string;
  /** Whether it contains an error, which opens it. */
  isWrong: boolean;
  onRemove?(): void;
  /** Whether it is open from the start, because it is new. */
  isOpen?: boolean;
  children: ReactNode;
}

export function Entry({ title, tag, summary, isWrong, onRemove, isOpen = false, children }: EntryProps) {
  const fold = useFold(isWrong || isOpen);
  return (
    <li className="border-line border-b last:border-b-0">
      <details {...fold} className="group">
        <summary className="flex items-center gap-3 px-4 py-2.5 hover:bg-well">
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90"
          />
          <span className="min-w-0 flex-1">
            <span className="font-medium">{title || "Unnamed"}</span>{" "}
            {tag && <code className="break-all font-mono text-faint text-xs">{tag}</code>}
            <span className="block text-quiet text-xs">{summary}</span>
          </span>
          {isWrong && <span className="whitespace-nowrap text-danger text-xs">To fix</span>}
        </summary>
        <div className="grid gap-4 px-4 pt-1 pb-5 sm:grid-cols-2 sm:pl-11">
          {children}
          {onRemove && (
            <div className="sm:col-span-2">
              <Button size="sm" onClick={onRemove}>
                <Trash2 aria-hidden />
                Remove
              </Button>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

/** Whether any of the paths has an error. */
export const hasErrorBelow = (errorOf: (path: string) => string | undefined, paths: string[]) =>
  paths.some((path) => errorOf(path) !== undefined);

export interface GatesProps {
  /** What has the gates, such as "this value". */
  what: string;
  gates: DraftGate[];
  sections: Draft["sections"];
  error: string | undefined;
  onGates(gates: DraftGate[]): void;
}

/** The clauses that a value or another clause depends on. */
export function Gates({ what, gates, sections, error, onGates }: GatesProps) {
  const options = sections.map(({ tag, label }) => ({ value: tag, label }));
  if (sections.length === 0) return null;
  return (
    <fieldset className="grid gap-2 sm:col-span-2">
      <legend className="mb-1.5 font-medium">Only when</legend>
      {gates.length === 0 && <p className="text-quiet text-xs">It depends on no other clause.</p>}
      {gates.map((gate, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: gates have no other key, and no state.
        <div key={index} className="flex items-center gap-2">
          <Select
            aria-label={`Clause that ${what} depends on, ${index + 1}`}
            className="min-w-0 flex-1"
            value={gate.tag}
            options={options}
            onChange={({ target }) => onGates(gates.with(index, { ...gate, tag: target.value }))}
          />
          <Select
            aria-label={`Whether it is on or off, ${index + 1}`}
            className="w-24"
            value={gate.whenOn ? "on" : "off"}
            options={[
              { value: "on", label: "is on" },
              { value: "off", label: "is off" },
            ]}
            onChange={({ target }) => onGates(gates.with(index, { ...gate, whenOn: target.value === "on" }))}
          />
          <IconButton label="Remove this condition" onClick={() => onGates(gates.toSpliced(index, 1))}>
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ))}
      {error && <p className="text-danger text-xs">{error}</p>}
      <Button
        size="sm"
        className="justify-self-start"
        onClick={() => onGates([...gates, { tag: options[0]!.value, whenOn: true }])}
      >
        <Plus aria-hidden />
        Add a condition
      </Button>
    </fieldset>
  );
}
