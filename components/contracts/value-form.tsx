"use client";
/** A contract's value, edited in place. */
import { useState } from "react";
import { useCloseIfMounted } from "#components/mounted.ts";
import { whyRefused } from "#components/problem.ts";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field, Fields } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { decimalAmount } from "#lib/core/money.ts";
import { useCurrencies } from "./currencies.ts";
import { amountIssue, centsFrom } from "./money.ts";

type Value = Pick<Contract, "valueCents" | "valueCurrency">;

interface ValueFormProps {
  value: Value;
  onSave(value: Value): Promise<unknown>;
  onClose(): void;
}

export function ValueForm({ value: { valueCents, valueCurrency }, onSave, onClose }: ValueFormProps) {
  const currencies = useCurrencies();
  const { currency: own } = useSession();
  const close = useCloseIfMounted(onClose);
  const [currency, setCurrency] = useState(valueCurrency ?? own);
  const [amount, setAmount] = useState(() =>
    valueCents && valueCurrency ? decimalAmount(valueCents, valueCurrency) : "",
  );
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    const wrong = amountIssue(amount, currency);
    setError(wrong);
    if (wrong) return;
    const cents = amount.trim() === "" ? null : centsFrom(amount, currency);
    setSaving(true);
    try {
      await onSave({ valueCents: cents, valueCurrency: cents === null ? null : currency });
      close();
    } catch (refused) {
      setError(whyRefused(refused));
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
      </Fields>
      <Button type="submit" variant="primary" size="sm" className="justify-self-end" busy={isSaving}>
        Save
      </Button>
    </form>
  );
}
