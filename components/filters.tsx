"use client";
/** Filters shared by several lists: by person, counterparty, or range of dates. */
import { useState } from "react";
import { useOperation } from "#components/query.tsx";
import { ComboboxList } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { FilterButton } from "#components/ui/filter.tsx";
import { DateInput } from "#components/ui/input.tsx";
import { dayWords, useReader } from "#components/ui/time.tsx";

interface PickProps {
  value: string | null;
  onValue(value: string | null): void;
}

export function OwnerFilter(props: PickProps) {
  return <MemberFilter label="Owner" what="owner" {...props} />;
}

export function AssigneeFilter(props: PickProps) {
  return <MemberFilter label="Assignee" what="assignee" {...props} />;
}

export function MemberFilter({ label, what, value, onValue }: PickProps & { label: string; what: string }) {
  const [open, setOpen] = useState(false);
  const { data } = useOperation("members.list", {}, { enabled: open || value !== null });
  const options = (data?.data ?? []).map(({ userId, name, email }) => ({
    value: userId,
    label: name,
    hint: email,
  }));
  return <PickFilter label={label} what={what} options={options} {...{ value, onValue, open, setOpen }} />;
}

export function CounterpartyFilter({ value, onValue }: PickProps) {
  const [open, setOpen] = useState(false);
  const { data } = useOperation("counterparties.list", {}, { enabled: open || value !== null });
  const options = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <PickFilter
      label="Counterparty"
      what="counterparty"
      options={options}
      {...{ value, onValue, open, setOpen }}
    />
  );
}

interface PickFilterProps extends PickProps {
  label: string;
  what: string;
  options: { value: string; label: string; hint?: string }[];
  open: boolean;
  setOpen(open: boolean): void;
}

function PickFilter({ label, what, options, value, onValue, open, setOpen }: PickFilterProps) {
  const chosen = options.find((option) => option.value === value);
  const choose = (next: string | null) => {
    onValue(next);
    setOpen(false);
  };
  return (
    <FilterButton
      label={label}
      value={value === null ? null : (chosen?.label ?? "…")}
      onClear={() => onValue(null)}
      open={open}
      onOpenChange={setOpen}
    >
      <ComboboxList what={what} value={value} options={options} onChoose={choose} />
    </FilterButton>
  );
}

interface SpanProps {
  label: string;
  from: string | null;
  to: string | null;
  onSpan(from: string | null, to: string | null): void;
}

export function SpanFilter({ label, from, to, onSpan }: SpanProps) {
  const { locale } = useReader();
  // The address may contain anything in place of a date.
  const words = (day: string | null) => day && (Number.isNaN(Date.parse(day)) ? day : dayWords(day, locale));
  const [first, last] = [words(from), words(to)];
  const said =
    first && last ? `${first} to ${last}` : first ? `from ${first}` : last ? `until ${last}` : null;
  return (
    <FilterButton label={label} value={said} onClear={() => onSpan(null, null)}>
      <div className="grid grid-cols-2 gap-3 p-3">
        <Field label="From">
          <DateInput value={from ?? ""} onChange={(event) => onSpan(event.target.value || null, to)} />
        </Field>
        <Field label="To">
          <DateInput value={to ?? ""} onChange={(event) => onSpan(from, event.target.value || null)} />
        </Field>
      </div>
    </FilterButton>
  );
}
