"use client";
/** Filters by custom fields: those that are set, a menu to add one, and a selection of columns. */
import { useState } from "react";
import { MemberFilter, SpanFilter } from "#components/filters.tsx";
import { Button } from "#components/ui/button.tsx";
import { ComboboxList } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { ChoiceFilter, FilterButton } from "#components/ui/filter.tsx";
import { Input } from "#components/ui/input.tsx";
import { Popover } from "#components/ui/popover.tsx";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { choicesOf } from "./field-control.tsx";
import { typeWords } from "./words.ts";

type Filters = Record<string, string[]>;
type OnFilter = (name: string, values: string[]) => void;

export interface FieldFiltersProps {
  fields: CustomField[];
  /** By field key, `<key>From` and `<key>To`. */
  filters: Filters;
  onFilter: OnFilter;
  /** The keys of the fields with a column; null if there are no columns. */
  columns: string[] | null;
  onColumns(keys: string[]): void;
}

export function FieldFilters({ fields, filters, onFilter, columns, onColumns }: FieldFiltersProps) {
  const [added, setAdded] = useState<string[]>([]);
  const [isChoosing, setChoosing] = useState(false);
  const isSet = ({ key }: CustomField) => [key, `${key}From`, `${key}To`].some((name) => filters[name]);
  const isShown = (field: CustomField) => isSet(field) || added.includes(field.key);
  const others = fields.filter((field) => !isShown(field));
  return (
    <>
      {fields.filter(isShown).map((field) => (
        <FieldFilter key={field.id} field={field} filters={filters} onFilter={onFilter} />
      ))}
      {others.length > 0 && (
        <Popover
          label="Add a filter"
          open={isChoosing}
          onOpenChange={setChoosing}
          className="w-60"
          trigger={
            <Button variant="quiet" size="sm">
              More filters
            </Button>
          }
        >
          <ComboboxList
            what="field"
            value={null}
            options={others.map(({ key, name, type }) => ({
              value: key,
              label: name,
              hint: typeWords[type],
            }))}
            onChoose={(key) => {
              if (key) setAdded([...added, key]);
              setChoosing(false);
            }}
          />
        </Popover>
      )}
      {columns && (
        <ChoiceFilter
          label="Columns"
          options={fields.map(({ key, name }) => ({ value: key, label: name }))}
          selected={columns}
          onSelect={onColumns}
        />
      )}
    </>
  );
}

interface FieldFilterProps {
  field: CustomField;
  filters: Filters;
  onFilter: OnFilter;
}

function FieldFilter({ field, filters, onFilter }: FieldFilterProps) {
  const { key, name, type } = field;
  const values = filters[key] ?? [];
  if (type === "choice") {
    const kept = values.filter((value) => !field.options.includes(value));
    return (
      <ChoiceFilter
        label={name}
        options={[...choicesOf(field, null), ...kept.map((value) => ({ value, label: value }))]}
        selected={values}
        onSelect={(selected) => onFilter(key, selected)}
      />
    );
  }
  if (type === "member") {
    return (
      <MemberFilter
        label={name}
        what="member"
        value={values[0] ?? null}
        onValue={(id) => onFilter(key, id ? [id] : [])}
      />
    );
  }
  if (type === "date") {
    return (
      <SpanFilter
        label={name}
        from={filters[`${key}From`]?.[0] ?? null}
        to={filters[`${key}To`]?.[0] ?? null}
        onSpan={(from, to) => {
          onFilter(`${key}From`, from ? [from] : []);
          onFilter(`${key}To`, to ? [to] : []);
        }}
      />
    );
  }
  return <WrittenFilter {...{ field, filters, onFilter }} />;
}

/** Filters by an exact text, or by a range of numbers. */
function WrittenFilter({ field: { key, name, type }, filters, onFilter }: FieldFilterProps) {
  const parts =
    type === "number"
      ? [
          { name: `${key}From`, label: "At least" },
          { name: `${key}To`, label: "At most" },
        ]
      : [{ name: key, label: "Is exactly" }];
  const [open, setOpen] = useState(false);
  const [drafts, setDrafts] = useState<Record<string, string>>({});
  const said = parts.flatMap((part) =>
    filters[part.name]?.length
      ? [
          type === "number"
            ? `${part.label.toLowerCase()} ${filters[part.name]![0]}`
            : filters[part.name]![0]!,
        ]
      : [],
  );
  const [wrong, setWrong] = useState<string>();
  const apply = () => {
    const wanted = parts.map((part) => (drafts[part.name] ?? filters[part.name]?.[0] ?? "").trim());
    if (
      type === "number" &&
      wanted.some((value) => value && !/^-?(0|[1-9]\d{0,29})(\.\d{1,20})?$/.test(value))
    ) {
      return setWrong("must be a number, such as 1250 or -0.5");
    }
    for (const [at, part] of parts.entries()) onFilter(part.name, wanted[at] ? [wanted[at]] : []);
    setOpen(false);
  };
  return (
    <FilterButton
      label={name}
      value={said.length > 0 ? said.join(", ") : null}
      onClear={() => {
        for (const part of parts) onFilter(part.name, []);
      }}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setDrafts({});
        setWrong(undefined);
      }}
    >
      <form
        className="grid gap-3 p-3"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        {parts.map((part) => (
          <Field key={part.name} label={part.label} subject="The value" error={wrong}>
            <Input
              inputMode={type === "number" ? "decimal" : "text"}
              value={drafts[part.name] ?? filters[part.name]?.[0] ?? ""}
              onChange={(event) => setDrafts({ ...drafts, [part.name]: event.target.value })}
            />
          </Field>
        ))}
        <Button type="submit" variant="primary" size="sm" className="justify-self-end">
          Apply
        </Button>
      </form>
    </FilterButton>
  );
}
