"use client";
/** Edits a template's settings, except for its document. Saving adds a revision. */
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { useFormDraft } from "#components/form-draft.ts";
import { useGuardedNavigation } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Fields } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { TemplateSettings } from "#lib/templates/schema.ts";
import {
  type Draft,
  draftOf,
  type Editing,
  editorIssue,
  type Issue,
  moveIssues,
  settingsOf,
} from "./draft.ts";
import { GeneralTab } from "./edit-general.tsx";
import { GroupsTab } from "./edit-groups.tsx";
import { ObligationsTab } from "./edit-obligations.tsx";
import { SectionsTab } from "./edit-sections.tsx";
import { VariablesTab } from "./edit-variables.tsx";
import type { TemplateDetail } from "./templates-page.tsx";

const tabs = ["general", "variables", "sections", "sectionGroups", "obligations"] as const;
type TabName = (typeof tabs)[number];

export function Editor({ template }: { template: TemplateDetail }) {
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(tabs).withDefault("general"));
  // Edits the settings as first loaded: if someone else has saved since, saving fails instead of overwriting
  // theirs.
  const [first] = useState(template);
  const [draft, setDraft] = useState<Draft>(() => draftOf(first));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(first));
  const { user } = useSession();
  const [isSaved, setSaved] = useState(false);
  const kept = useFormDraft(
    `template ${user.id} ${first.id}`,
    { revision: first.revision, draft },
    {
      isChanged,
      isSent: isSaved,
      onRestore: (before) => {
        // Changes to a revision that is no longer the latest could not be saved.
        if (before.revision !== first.revision) return false;
        setDraft(before.draft);
        return true;
      },
    },
  );
  const { save, issues, follow, message, isRunning } = useSaving(
    first,
    (path) => void setTab(tabOf(path)),
    () => {
      setSaved(true);
      kept.forget();
    },
  );
  const editing: Editing = {
    draft,
    anchors: first.anchors,
    change: (part) => {
      follow(draft, part);
      setDraft((before) => ({ ...before, ...part }));
    },
    errorOf: (path) => issues[path],
  };
  const labelOf = (name: TabName, label: string) => {
    const wrong = Object.keys(issues).filter((path) => tabOf(path) === name).length;
    return wrong > 0 ? `${label} (${wrong} to fix)` : label;
  };
  return (
    <form
      noValidate
      className="mx-auto max-w-4xl px-4 pt-5 md:px-6"
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft);
      }}
    >
      <PageHeader
        title="Template settings"
        crumbs={[
          { label: "Templates", href: "/templates" },
          { label: first.name, href: `/templates/${first.id}` },
        ]}
      />
      <div className="mt-4 mb-6">
        <FormError>{message}</FormError>
      </div>
      <Fields isSubmitting={isRunning}>
        <Tabs
          label="Settings"
          value={tab}
          onValue={(next) => void setTab(next as TabName)}
          tabs={[
            { value: "general", label: labelOf("general", "General"), content: <GeneralTab {...editing} /> },
            {
              value: "variables",
              label: labelOf("variables", "Values"),
              count: draft.variables.length,
              content: <VariablesTab {...editing} />,
            },
            {
              value: "sections",
              label: labelOf("sections", "Clauses"),
              count: draft.sections.length,
              content: <SectionsTab {...editing} />,
            },
            {
              value: "sectionGroups",
              label: labelOf("sectionGroups", "Groups"),
              count: draft.sectionGroups.length,
              content: <GroupsTab {...editing} />,
            },
            {
              value: "obligations",
              label: labelOf("obligations", "Obligations"),
              count: draft.obligations.length,
              content: <ObligationsTab {...editing} />,
            },
          ]}
        />
      </Fields>
      <div className="sticky bottom-0 -mx-4 mt-8 flex flex-wrap items-center justify-end gap-2 border-line border-t bg-paper px-4 py-3 max-md:bottom-16 md:-mx-6 md:px-6">
        <p role="status" className="min-w-0 flex-1 text-quiet text-xs">
          {!isChanged && `Revision ${first.revision}, saved.`}
          {isChanged && (kept.isRestored ? "Your earlier changes, not saved yet." : "Not saved yet.")}
        </p>
        {kept.isRestored && (
          <Button
            variant="quiet"
            onClick={() => {
              follow(draft, null);
              setDraft(draftOf(first));
            }}
          >
            Discard the changes
          </Button>
        )}
        <ButtonLink href={`/templates/${first.id}`} onClick={kept.forget}>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" busy={isRunning} disabled={!isChanged}>
          Save as revision {first.revision + 1}
        </Button>
      </div>
    </form>
  );
}

function tabOf(path: string): TabName {
  const list = path.split(".", 1)[0] as TabName;
  return tabs.includes(list) ? list : "general";
}

/** Validates with the server's schema, then saves; errors of both are shown at their fields. */
function useSaving({ id, revision }: TemplateDetail, onWrong: (path: string) => void, onSaved: () => void) {
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const [issues, setIssues] = useState<Record<string, string>>({});
  const [message, setMessage] = useState<string | null>(null);
  const act = useAct("templates.saveSettings", { invalidates: ["templates"], showsErrors: false });
  const refuse = (found: Issue[], why: string, draft: Draft) => {
    const byPath: Record<string, string> = {};
    for (const { path, message: told } of found.map((issue) => editorIssue(issue, draft)))
      byPath[path] ??= told;
    setIssues(byPath);
    // Errors about a whole list, or without a field of their own, are shown at the top.
    const general = found.filter(({ path }) =>
      /^$|^(variables|sections|sectionGroups\.\d+|obligations)$/.test(path),
    );
    setMessage(general.map((issue) => `${issue.path} ${issue.message}`.trim()).join("; ") || why);
    if (found[0]) onWrong(found[0].path);
  };
  /** Moves the errors along with their entries. Null means that all entries were replaced. */
  const follow = (before: Draft, changed: Partial<Draft> | null) => {
    const left = changed ? moveIssues(issues, before, changed) : {};
    setIssues(left);
    if (Object.keys(issues).length > 0 && Object.keys(left).length === 0) setMessage(null);
  };
  const save = async (draft: Draft) => {
    const settings = settingsOf(draft);
    const checked = TemplateSettings.safeParse(settings);
    if (!checked.success) {
      const found = checked.error.issues.map((issue) => ({
        path: issue.path.join("."),
        message: issue.message,
      }));
      return refuse(found, "Something is not right yet: check the fields.", draft);
    }
    try {
      const saved = await act.run({ ...settings, id, revision });
      onSaved();
      toast({ title: "Settings saved", detail: `Revision ${saved.template.revision}` });
      leadTo(`/templates/${id}`);
    } catch (error) {
      const problem = problemOf(error);
      refuse(
        problem.issues,
        problem.issues.length > 0 ? "Something is not right yet: check the fields." : problem.message,
        draft,
      );
    }
  };
  return { save, issues, follow, message, isRunning: act.isRunning };
}
