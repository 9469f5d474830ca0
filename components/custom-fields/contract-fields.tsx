"use client";
/** A contract's custom fields, edited where they stand. */
import { type ReactNode, useState } from "react";
import { OwnerField } from "#components/owner-field.tsx";
import { problemOf, refusalToast } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { inlineBoxClass, inlineClass } from "#components/ui/inline.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { Select } from "#components/ui/select.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { useCustomFields } from "./custom-fields.ts";
import { choicesOf, ValueInput } from "./field-control.tsx";
import { FieldValue } from "./field-value.tsx";
import { usePeople } from "./people.ts";

interface EditProps {
  field: CustomField;
  value: string | null;
  people: ReadonlyMap<string, string>;
  onSave(value: string | null): Promise<unknown>;
}

export function ContractFields({
  contract,
  row,
}: {
  contract: Contract;
  /** How the card around shows a term. */
  row(term: string, key: string, children: ReactNode): ReactNode;
}) {
  const may = useMay();
  const fields = useCustomFields();
  const people = usePeople(fields.some(({ type }) => type === "member"));
  const patch = useAct("contracts.patch", {
    invalidates: ["contracts", "home", "auditEvents"],
    tellsRefusals: false,
  });
  return fields.map((field) => {
    const value = contract.customFields[field.key] ?? null;
    const shared = { field, value, people };
    const onSave = (next: string | null) =>
      patch.run({ id: contract.id, customFields: { [field.key]: next } });
    return row(
      field.name,
      field.id,
      may("contracts:write") ? <FieldEdit {...shared} onSave={onSave} /> : <FieldValue {...shared} />,
    );
  });
}

function FieldEdit(props: EditProps) {
  const { field, value, people, onSave } = props;
  const toast = useToast();
  const save = (next: string | null) =>
    void onSave(next).catch((error) => toast(refusalToast(problemOf(error))));
  if (field.type === "choice") {
    return (
      <Select
        aria-label={field.name}
        className={inlineBoxClass}
        value={value ?? ""}
        placeholder="Choose"
        options={choicesOf(field, value)}
        onChange={({ target }) => save(target.value || null)}
      />
    );
  }
  if (field.type === "member") {
    return (
      <OwnerField
        label={field.name}
        what="member"
        placeholder="Choose a member"
        clearable
        className={inlineClass}
        value={value}
        name={value === null ? undefined : people.get(value)}
        onValue={save}
      />
    );
  }
  return <WrittenEdit {...props} />;
}

/** A text, a number or a day, in a small form of its own. */
function WrittenEdit({ field, value, people, onSave }: EditProps) {
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState("");
  const [refused, setRefused] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const onOpenChange = (next: boolean) => {
    setOpen(next);
    setRefused(undefined);
    setDraft(value ?? "");
  };
  const save = async () => {
    setSaving(true);
    try {
      await onSave(draft.trim() || null);
      setOpen(false);
    } catch (error) {
      const { issues, message } = problemOf(error);
      setRefused(issues[0]?.message ?? message);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Popover
      label={field.name}
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <button
          type="button"
          aria-label={value === null ? `Set ${field.name}` : undefined}
          className="-mx-2 block max-w-[calc(100%+1rem)] break-words rounded-md border border-transparent px-2 py-1 text-left hover:border-edge"
        >
          <FieldValue field={field} value={value} people={people} empty="Add" />
        </button>
      }
    >
      <form
        className="grid gap-3 p-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={field.name} error={refused} hint="Leave empty to clear it.">
          <ValueInput field={field} value={draft} onValue={setDraft} />
        </Field>
        <Button type="submit" variant="primary" size="sm" className="justify-self-end" busy={isSaving}>
          Save
        </Button>
      </form>
    </Popover>
  );
}
