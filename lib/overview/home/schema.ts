import { z } from "zod";
import { MyApproval } from "#lib/approvals/schema.ts";
import { contractStatuses } from "#lib/contracts/lifecycle.ts";
import { centsOut, idOut, timestamp } from "#lib/core/wire.ts";
import { Obligation } from "#lib/obligations/schema.ts";

/** A number, and the list that it counts: the list's name, and the query string of its page. */
const Counted = z.object({
  count: z.int(),
  list: z.enum(["contracts", "obligations", "signatures"]),
  query: z.string(),
});

const SignatureRequest = z.object({
  envelopeId: idOut("envelope"),
  contractId: idOut("contract"),
  contractTitle: z.string(),
  createdAt: timestamp,
});

const NextObligation = z.object({
  ...Obligation.pick({
    id: true,
    contractId: true,
    title: true,
    kind: true,
    resolvedDate: true,
    recurrenceMonths: true,
    status: true,
  }).shape,
  contractTitle: z.string(),
});

export const Home = z.object({
  mine: z.object({
    signatures: z.array(SignatureRequest).meta({ description: "Requests in which it is my turn" }),
    approvals: z
      .object({ count: z.int(), next: z.array(MyApproval) })
      .meta({ description: "What waits for my approval, and the first ten" }),
    due: Counted.meta({ description: "Obligations that are mine to see to" }),
    overdue: Counted,
    next: z.array(NextObligation).meta({ description: "Of both, the first ten" }),
    stuck: z
      .array(z.object({ ...SignatureRequest.shape, reason: z.enum(["expired", "sealing", "idle"]) }))
      .meta({
        description: "My requests that are stuck: past the deadline, not sealed, or a week without activity",
      }),
  }),
  workspace: z
    .object({ due: Counted, overdue: Counted })
    .nullable()
    .meta({ description: "Obligations of everyone's contracts, for owners and admins" }),
  signing: Counted.meta({ description: "Signature requests that wait for a signer" }),
  waiting: z
    .array(z.object({ ...SignatureRequest.shape, signerName: z.string(), signerEmail: z.string() }))
    .meta({ description: "Requests of mine, and whose turn it is" }),
  renewals: z.object({
    ...Counted.shape,
    byWeek: z.array(z.object({ week: z.int(), ends: z.int(), renews: z.int() })).meta({
      description: "How many each week from today has, from week 0; weeks without any are left out",
    }),
    next: z.array(
      z.object({ id: idOut("contract"), title: z.string(), expiresAt: timestamp, autoRenews: z.boolean() }),
    ),
  }),
  contractsByStatus: z.array(z.object({ ...Counted.shape, status: z.enum(contractStatuses) })),
  valueByCurrency: z.array(z.object({ ...Counted.shape, currency: z.string(), valueCents: centsOut })),
});
export type Home = z.output<typeof Home>;

export const HomeAnswer = z.object({ home: Home });
