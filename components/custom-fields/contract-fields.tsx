"use client";
/** A contract's custom fields, edited in place. */
import { type ReactNode, useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { OwnerField } from "#components/owner-field.tsx";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field, Fields } from "#components/ui/field.tsx";
import { inlineBoxClass, inlineClass } from "#components/ui/inline.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { Select } from "#components/ui/select.tsx";
import { hasShortYear, shortYear } from "#components/ui/typed.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { useCustomFields } from "./custom-fields.ts";
import { choicesOf, ValueInput } from "./field-control.tsx";
import { FieldValue } from "./field-value.tsx";
import { usePeople } from "./people.ts";

interface EditProps {
  contractId: string;
  field: CustomField;
  value: string | null;
  people: ReadonlyMap<string, string>;
}

export function ContractFields({
  contract,
  row,
}: {
  contract: Contract;
  /** Renders a row of the surrounding card. */
  row(term: string, key: string, children: ReactNode): ReactNode;
}) {
  const may = useMay();
  const fields = useCustomFields();
  const people = usePeople(fields.some(({ type }) => type === "member"));
  return fields.map((field) => {
    const shared = { field, value: contract.customFields[field.key] ?? null, people };
    return row(
      field.name,
      field.id,
      may("contracts:write") ? (
        <FieldEdit {...shared} contractId={contract.id} />
      ) : (
        <FieldValue {...shared} />
      ),
    );
  });
}

function FieldEdit(props: EditProps) {
  const isChosen = props.field.type === "choice" || props.field.type === "member";
  return isChosen ? <ChosenEdit {...props} /> : <WrittenEdit {...props} />;
}

function useSaving({ contractId, field }: EditProps, { showsErrors }: { showsErrors: boolean }) {
  const patch = useAct("contracts.patch", {
    invalidates: ["contracts", "home", "auditEvents"],
    showsErrors,
  });
  return (value: string | null) => patch.run({ id: contractId, customFields: { [field.key]: value } });
}

/** Edits a choice or a member. */
function ChosenEdit(props: EditProps) {
  const { field, value, people } = props;
  const onSave = useSaving(props, { showsErrors: true });
  const save = (next: string | null) => void onSave(next).catch(() => undefined);
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

/** Edits a text, a number or a date in a small form. */
function WrittenEdit(props: EditProps) {
  const { field, value, people } = props;
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label={field.name}
      open={open}
      onOpenChange={setOpen}
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
      <WrittenForm {...props} onClose={() => setOpen(false)} />
    </Popover>
  );
}

function WrittenForm({ onClose, ...props }: EditProps & { onClose(): void }) {
  const { field, value } = props;
  const close = useCloseIfMounted(onClose);
  const onSave = useSaving(props, { showsErrors: false });
  const [draft, setDraft] = useState(value ?? "");
  const [refused, setRefused] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    if (field.type === "date" && draft !== value && hasShortYear(draft)) return setRefused(shortYear);
    setSaving(true);
    try {
      await onSave(draft.trim() || null);
      close();
    } catch (error) {
      const { issues, message } = problemOf(error);
      setRefused(issues[0]?.message ?? message);
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      className="grid gap-3 p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Fields isSubmitting={isSaving}>
        <Field label={field.name} error={refused} hint="Leave empty to clear it.">
          <ValueInput field={field} value={draft} onValue={setDraft} />
        </Field>
      </Fields>
      <Button type="submit" variant="primary" size="sm" className="justify-self-end" busy={isSaving}>
        Save
      </Button>
    </form>
  );
}
