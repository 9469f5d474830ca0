"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { z } from "zod";
import { changedIn } from "#components/changed-in.ts";
import { useDoor } from "#components/door.tsx";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { placeRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { type Counterparty, NewCounterparty, relationshipTypes } from "#lib/counterparties/schema.ts";
import { sameOnes } from "./same.ts";

const CounterpartyForm = z.object({
  name: NewCounterparty.shape.name,
  domain: z.string(),
  relationshipTypes: z.array(z.enum(relationshipTypes)),
});

export interface CounterpartyDialogProps {
  /** Which one changes; without it one is added. */
  counterparty?: Counterparty;
  onClose(): void;
}

export function CounterpartyDialog({ counterparty, onClose }: CounterpartyDialogProps) {
  const [first] = useState(() => ({
    name: counterparty?.name ?? "",
    domain: counterparty?.domain ?? "",
    relationshipTypes: counterparty?.relationshipTypes ?? [],
  }));
  const form = useZodForm(CounterpartyForm, first);
  const { errors, isSubmitting } = form.formState;
  const router = useRouter();
  const toast = useToast();
  const options = { invalidates: ["counterparties", "contracts"], tellsRefusals: false } as const;
  const create = useAct("counterparties.create", options);
  const patch = useAct("counterparties.patch", options);
  const door = useDoor();
  /** What the person has been shown, and would add another one beside. */
  const [pointedOut, setPointedOut] = useState<Counterparty[]>([]);
  const submit = form.handleSubmit(async (values) => {
    try {
      if (!counterparty) {
        const { data } = await door.read("counterparties.list", {});
        const same = sameOnes(data, values);
        const isNews = same.some(({ id }) => !pointedOut.some((known) => known.id === id));
        setPointedOut(same);
        if (isNews) return;
      }
      if (counterparty) {
        const changed = changedIn(values, first);
        if (Object.keys(changed).length === 0) return onClose();
        await patch.run({ id: counterparty.id, ...changed });
        toast({ title: "Saved" });
      } else {
        const made = await create.run(values);
        toast({ title: "Counterparty added", detail: values.name });
        router.push(`/counterparties/${made.counterparty.id}`);
      }
      onClose();
    } catch (error) {
      placeRefusal(form, problemOf(error), ["name", "domain"]);
    }
  });
  return (
    <FormDialog
      title={counterparty ? "Edit the counterparty" : "New counterparty"}
      error={errors.root?.message}
      action={counterparty ? "Save" : pointedOut.length > 0 ? "Add it anyway" : "Add the counterparty"}
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      {pointedOut.length > 0 && (
        <div role="alert" className="rounded-md bg-tone-warn px-3 py-2 text-on-warn">
          <p className="font-medium">
            {pointedOut.length === 1 ? "This one already exists:" : "These already exist:"}
          </p>
          <ul>
            {pointedOut.map(({ id, name, domain }) => (
              <li key={id} className="[overflow-wrap:anywhere]">
                <Link href={`/counterparties/${id}`} className="!text-inherit">
                  {name}
                </Link>
                {domain && `, ${domain}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Field label="Name" error={errors.name?.message} required>
        <Input {...form.register("name")} autoFocus />
      </Field>
      <Field label="Domain" optional error={errors.domain?.message}>
        <Input {...form.register("domain")} placeholder="northwind.example" />
      </Field>
      <Controller
        control={form.control}
        name="relationshipTypes"
        render={({ field }) => (
          <FieldGroup legend="They are our">
            <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
              {relationshipTypes.map((type) => (
                <Checkbox
                  key={type}
                  label={inWords(type)}
                  checked={field.value.includes(type)}
                  onChange={({ target }) =>
                    field.onChange(
                      target.checked ? [...field.value, type] : field.value.filter((other) => other !== type),
                    )
                  }
                />
              ))}
            </div>
          </FieldGroup>
        )}
      />
    </FormDialog>
  );
}
