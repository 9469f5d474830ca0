"use client";
import { useState } from "react";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Combobox } from "#components/ui/combobox.tsx";

export interface CounterpartyFieldProps {
  value: string | null;
  /** The control's label, if it is not in a Field. */
  label?: string;
  /** The selected counterparty's name, if it is known before the list has loaded. */
  name?: string;
  onValue(id: string | null): void;
  className?: string;
  disabled?: boolean;
}

/** Selects a counterparty, or adds one by name. */
export function CounterpartyField({
  label,
  value,
  name,
  onValue,
  className,
  disabled,
}: CounterpartyFieldProps) {
  const may = useMay();
  const [isOpened, setOpened] = useState(false);
  // There may be thousands, and most people who see the field do not change it.
  const isWanted = !disabled && (isOpened || (value !== null && !name));
  const { data } = useOperation("counterparties.list", {}, { enabled: isWanted });
  const create = useAct("counterparties.create", { invalidates: ["counterparties"] });
  const known = value && name ? [{ value, label: name }] : [];
  const options = data
    ? data.data.map((one) => ({ value: one.id, label: one.name, hint: one.domain ?? undefined }))
    : known;
  return (
    <Combobox
      what="counterparty"
      label={label}
      clearable
      placeholder="None yet"
      className={className}
      disabled={disabled || create.isRunning}
      value={value}
      options={options}
      onValue={onValue}
      onOpen={() => setOpened(true)}
      onCreate={
        // Before the list has loaded, an existing counterparty could be added again.
        data && may("counterparties:write")
          ? (newName) => {
              create.run({ name: newName }).then(
                ({ counterparty }) => onValue(counterparty.id),
                () => undefined,
              );
            }
          : undefined
      }
    />
  );
}
