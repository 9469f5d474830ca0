"use client";
import { useState } from "react";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Combobox } from "#components/ui/combobox.tsx";

export interface CounterpartyFieldProps {
  value: string | null;
  /** What the control is called, where no Field says it. */
  label?: string;
  /** Its name, where it is known before the list is. */
  name?: string;
  onValue(id: string | null): void;
  className?: string;
  disabled?: boolean;
}

/** Chooses a counterparty, or adds one by its name. */
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
  // There may be thousands, and most who see the field leave it as it is.
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
        // Before the others are known, one that is there already would be added again.
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
