"use client";
/** Creates a contract from a template: the form on the left, a preview of the document on the right. */
import { Eye, EyeOff } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { useDebounced } from "#components/debounced.ts";
import { useFormDraft } from "#components/form-draft.ts";
import { useGuardedNavigation } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { useIsHydrated } from "#components/ui/listening.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { shortYear } from "#components/ui/typed.ts";
import { counted } from "#components/words.ts";
import type { ApiProblem } from "#lib/doors/client.ts";
import { ClausesPart } from "./clauses-part.tsx";
import { type Entries, type Entry, type Filling, fillingOf, localIssues, useEntries } from "./filling.ts";
import { TemplatePreview } from "./template-preview.tsx";
import type { TemplateDetail } from "./templates-page.tsx";
import { TermsPart } from "./terms-part.tsx";
import { VariablesPart } from "./variables-part.tsx";

/** The check is fast, but a PDF takes a second, so the preview waits for a longer pause in typing. */
const checkRestMs = 250;
const previewRestMs = 900;

export function UseForm({ template }: { template: TemplateDetail }) {
  const [begun, setBegun] = useState(0);
  return <Form key={begun} template={template} onStartOver={() => setBegun(begun + 1)} />;
}

function Form({ template, onStartOver }: { template: TemplateDetail; onStartOver(): void }) {
  const { user, currency } = useSession();
  const [all, setEntry] = useEntries(template, user.id, currency);
  const [first] = useState(all);
  const filling = fillingOf(template.id, all);
  const check = useOperation("templates.check", useRested(filling, checkRestMs), { keepPrevious: true });
  const previewed = useRested(filling, previewRestMs);
  const [tried, setTried] = useState(false);
  const [showsPreview, setShowsPreview] = useState(false);
  const { create, refused, isRunning, isLeaving } = useMaking();
  const kept = useFormDraft(`use ${template.id} ${user.id}`, all, {
    isChanged: JSON.stringify(all) !== JSON.stringify(first),
    isSent: isLeaving,
    onRestore: (before) => {
      restoreEntries(before, template, setEntry);
      return true;
    },
  });
  const isHydrated = useIsHydrated();
  const customFields = useCustomFields();
  const missing = issuesOf(check.data?.issues ?? [], localIssues(all, template.variables, customFields));
  if (all.counterpartyId === null) missing.counterpartyId ??= "is required";
  // A refusal applies to what was sent; later entries are covered by the check.
  const isRefused = refused?.filling === JSON.stringify(filling);
  const issues = { ...issuesOf(isRefused ? refused.problem.issues : []), ...missing };
  const count = Object.keys(issues).length;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    // Problems that only the refusal reported do not block another attempt: their cause may be gone.
    if (Object.keys(missing).length > 0) return focusFirst(Object.keys(missing));
    await create(filling, kept.forget);
  };
  // Missing values, such as the rest of a year, are reported on submit; wrong ones, immediately.
  const errorOf = (path: string) => {
    const issue = issues[path];
    return tried || (issue !== shortYear && !/^is required/.test(issue ?? "")) ? issue : undefined;
  };
  const form = { template, all, setEntry, check: check.data, errorOf };
  return (
    <div className="grid lg:h-[calc(100dvh-1.125rem)] lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <form onSubmit={submit} noValidate inert={!isHydrated} className="flex min-h-0 min-w-0 flex-col">
        <div className="grid min-h-0 flex-1 content-start gap-8 overflow-y-auto px-4 py-5 md:px-6">
          <PageHeader
            title={check.data?.title ?? template.name}
            crumbs={[
              { label: "Templates", href: "/templates" },
              { label: template.name, href: `/templates/${template.id}` },
            ]}
          />
          {refused?.problem.issues.length === 0 && <FormError>{refused.problem.message}</FormError>}
          {check.error && <FormError>{check.error.message}</FormError>}
          <TermsPart {...form} />
          <VariablesPart {...form} />
          <ClausesPart {...form} />
        </div>
        <div className="flex flex-wrap items-center gap-2 border-line border-t bg-paper px-4 py-3 lg:rounded-bl-xl max-lg:sticky max-lg:bottom-16 max-lg:z-10 md:px-6 md:max-lg:bottom-0">
          <p role="status" className="min-w-0 flex-1 text-quiet text-xs">
            {count === 0 ? "Nothing is missing." : `${counted(count, "thing")} still missing.`}
            {kept.isRestored && " Your earlier entries have been restored."}
          </p>
          {kept.isRestored && (
            <Button
              variant="quiet"
              onClick={() => {
                kept.forget();
                onStartOver();
              }}
            >
              Start over
            </Button>
          )}
          <Button
            className="lg:hidden"
            aria-expanded={showsPreview}
            onClick={() => setShowsPreview(!showsPreview)}
          >
            {showsPreview ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            Preview
          </Button>
          <Button type="submit" variant="primary" busy={isRunning}>
            Create the contract
          </Button>
        </div>
      </form>
      <div
        className={`min-h-0 border-line lg:block lg:border-l lg:p-3 ${showsPreview ? "max-lg:p-3" : "max-lg:hidden"}`}
      >
        <TemplatePreview filling={previewed} className="h-[70dvh] bg-well lg:h-full" />
      </div>
    </div>
  );
}

/** Restores earlier entries, as far as the template still has the variables and clauses. */
function restoreEntries(
  before: Entries,
  { variables, sections }: TemplateDetail,
  setEntry: (entry: Entry) => void,
): void {
  const { variables: values, sections: switches, ...fields } = before;
  setEntry({ kind: "field", fields });
  for (const { key } of variables) {
    const value = values[key];
    if (value !== undefined) setEntry({ kind: "variable", key, value });
  }
  const chosen = Object.entries(switches).filter(([known]) => sections.some(({ tag }) => tag === known));
  setEntry({ kind: "sections", sections: Object.fromEntries(chosen) });
}

/** Returns the value once it has stopped changing, compared by content rather than identity. */
function useRested<T>(value: T, restMs: number): T {
  return JSON.parse(useDebounced(JSON.stringify(value), restMs));
}

/** What was sent, as JSON, and why it was refused. */
interface Refused {
  filling: string;
  problem: ApiProblem;
}

function useMaking() {
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const make = useAct("templates.makeContract", {
    invalidates: ["contracts", "counterparties", "obligations", "templates", "home"],
    showsErrors: false,
  });
  const create = async (filling: Filling, onCreated: () => void) => {
    setRefused(null);
    try {
      const { contractId } = await make.run(filling);
      setLeaving(true);
      onCreated();
      toast({ title: "Contract created", detail: "Its PDF follows within seconds." });
      leadTo(`/contracts/${contractId}`);
    } catch (error) {
      setRefused({ filling: JSON.stringify(filling), problem: problemOf(error) });
    }
  };
  return { create, refused, isLeaving, isRunning: make.isRunning || isLeaving };
}

interface Issue {
  path: string;
  message: string;
}

/** Returns issues by path: the local one, or else the first one from the server. */
function issuesOf(issues: Issue[], local: Record<string, string> = {}): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { path, message } of issues) found[path] ??= message;
  return { ...found, ...local };
}

function focusFirst(paths: string[]): void {
  const found = [...document.querySelectorAll<HTMLElement>("[data-path]")].find((element) =>
    paths.includes(element.dataset.path ?? ""),
  );
  found?.scrollIntoView({ block: "center" });
  found?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
}
