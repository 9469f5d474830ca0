"use client";
/** A contract's value, as it is edited where it stands. */
import { useState } from "react";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { decimalAmount } from "#lib/core/money.ts";
import { useCurrencies } from "./currencies.ts";
import { centsFrom } from "./money.ts";

type Value = Pick<Contract, "valueCents" | "valueCurrency">;

export function ValueForm({
  value: { valueCents, valueCurrency },
  onSave,
}: {
  value: Value;
  onSave(value: Value): void;
}) {
  const currencies = useCurrencies();
  const { currency: own } = useSession();
  const [currency, setCurrency] = useState(valueCurrency ?? own);
  const [amount, setAmount] = useState(() =>
    valueCents && valueCurrency ? decimalAmount(valueCents, valueCurrency) : "",
  );
  const [error, setError] = useState<string>();
  const save = () => {
    const cents = amount.trim() === "" ? null : centsFrom(amount, currency);
    if (amount.trim() !== "" && cents === null) setError("must be an amount such as 12,500.00");
    else onSave({ valueCents: cents, valueCurrency: cents === null ? null : currency });
  };
  return (
    <form
      className="grid gap-3 p-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className="grid grid-cols-[1fr_6rem] gap-2">
        <Field label="Value" error={error} hint="Leave empty to clear it.">
          <Input inputMode="decimal" value={amount} onChange={(event) => setAmount(event.target.value)} />
        </Field>
        <Field label="Currency">
          <Select
            value={currency}
            options={currencies}
            onChange={(event) => setCurrency(event.target.value)}
          />
        </Field>
      </div>
      <Button type="submit" variant="primary" size="sm" className="justify-self-end">
        Save
      </Button>
    </form>
  );
}
