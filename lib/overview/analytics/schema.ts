import { z } from "zod";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { contractTypes } from "#lib/contracts/schema.ts";
import { centsOut } from "#lib/core/wire.ts";

const count = z.int().meta({ example: 3 });

export const Summary = z
  .object({
    contractsByStatus: z.record(z.enum(contractStatuses), count),
    contractsByType: z.record(z.enum(contractTypes), count),
    openValue: z
      .array(z.object({ currency: z.string().meta({ example: "USD" }), valueCents: centsOut }))
      .meta({ description: "Of contracts that are neither expired, terminated nor cancelled, by currency" }),
    expiring: z.object({ d30: count, d60: count, d90: count }).meta({
      description: "Executed and active contracts whose term ends within so many days; d60 includes d30",
    }),
    obligations: z.object({ due: count, overdue: count }),
    signing: z.object({
      open: count,
      medianHoursToComplete: z.number().nullable().meta({ example: 26.5 }),
    }),
  })
  .meta({ id: "AnalyticsSummary" });

export const SummaryAnswer = z.object({ analytics: Summary });
