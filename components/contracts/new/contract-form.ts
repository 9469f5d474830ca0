import { z } from "zod";
import { parseWholeNumber } from "#components/ui/typed.ts";
import type { contractTypes } from "#lib/contracts/lifecycle.ts";
import { NewContract } from "#lib/contracts/schema.ts";
import { alongsideFieldIssues } from "#lib/core/wire.ts";
import { amountIssue, centsFrom } from "../money.ts";

const blank = (value: unknown) => (value === "" ? null : value);

/** The form's values: text, except for checkboxes, with the amount in major units. */
export const ContractForm = z
  .object({
    ...NewContract.pick({ title: true, ourRole: true, ownerId: true, autoRenews: true }).shape,
    // No type is preselected, so that one is chosen deliberately.
    type: z
      .string()
      .refine((type) => type !== "", { error: "must be chosen" })
      .transform((type) => type as (typeof contractTypes)[number]),
    counterpartyId: z.string().nullable(),
    effectiveDate: z.preprocess(blank, z.string().nullable()),
    termMonths: z.preprocess(parseWholeNumber, NewContract.shape.termMonths),
    renewalMonths: z.preprocess(parseWholeNumber, NewContract.shape.renewalMonths),
    amount: z.string().trim(),
    valueCurrency: z.string(),
    customFields: z.record(z.string(), z.string()),
  })
  .refine(({ amount, valueCurrency }) => amountIssue(amount, valueCurrency) === undefined, {
    path: ["amount"],
    error: ({ input }) => {
      const { amount, valueCurrency } = input as { amount: string; valueCurrency: string };
      return amountIssue(amount, valueCurrency);
    },
    ...alongsideFieldIssues,
  })
  .transform(({ amount, valueCurrency, customFields, ...others }) => {
    const filled = Object.entries(customFields).filter(([, value]) => value.trim() !== "");
    const rest = filled.length > 0 ? { ...others, customFields: Object.fromEntries(filled) } : others;
    return amount === "" ? rest : { ...rest, valueCents: centsFrom(amount, valueCurrency), valueCurrency };
  });

export type ContractForm = typeof ContractForm;
