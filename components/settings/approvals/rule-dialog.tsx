"use client";
/** Adds or edits a rule: which contracts it applies to, and who approves in which order. */
import { useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { ApprovalRule } from "#lib/approvals/schema.ts";
import { ConditionsFields } from "./conditions-fields.tsx";
import { type DraftErrors, draftOf, inputFrom, placeErrors, type RuleDraft, validate } from "./draft.ts";
import { StepsFields } from "./steps-fields.tsx";

export function RuleDialog({ rule, onClose }: { rule?: ApprovalRule; onClose(): void }) {
  const close = useCloseIfMounted(onClose);
  const toast = useToast();
  const { currency } = useSession();
  const [draft, setDraft] = useState<RuleDraft>(() => draftOf(rule, currency));
  const [opened] = useState(rule);
  const [wrong, setWrong] = useState<DraftErrors>({});
  const [refusal, setRefusal] = useState<string>();
  const options = {
    invalidates: ["approvalRules", "approvals", "auditEvents"],
    showsErrors: false,
  } as const;
  const create = useAct("approvalRules.create", options);
  const update = useAct("approvalRules.update", options);
  const change = (fields: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...fields }));
  const submit = async () => {
    const found = validate(draft);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    const input = inputFrom(draft);
    try {
      await (opened
        ? update.run({ ...input, id: opened.id, updatedAt: opened.updatedAt })
        : create.run(input));
      toast({ title: rule ? "Rule saved" : "Rule added" });
      close();
    } catch (error) {
      const refused = placeErrors(problemOf(error));
      setWrong(refused.wrong);
      setRefusal(refused.rest);
    }
  };
  return (
    <FormDialog
      title={rule ? "Edit the rule" : "Add a rule"}
      {...(rule
        ? {
            description:
              "If you change the steps, approved contracts not yet sent for signature need approval again.",
          }
        : {})}
      size="md"
      error={refusal}
      action={rule ? "Save" : "Add the rule"}
      busy={create.isRunning || update.isRunning}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" required {...(wrong.name ? { error: wrong.name } : {})}>
        <Input
          value={draft.name}
          maxLength={200}
          autoComplete="off"
          autoFocus
          placeholder="Large purchases"
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      <ConditionsFields draft={draft} wrong={wrong} onChange={change} />
      <StepsFields steps={draft.steps} wrong={wrong} onSteps={(steps) => change({ steps })} />
    </FormDialog>
  );
}
