/** Converts the stories into steps: who did what, and when. */

import { moveContract, patchContract } from "#lib/contracts/contracts.ts";
import { createContract } from "#lib/contracts/create.ts";
import type { NewContract } from "#lib/contracts/schema.ts";
import type { Context } from "#lib/core/context.ts";
import { addDays, type Day, midnight } from "#lib/core/dates.ts";
import { createContact } from "#lib/counterparties/contacts.ts";
import { createCounterparty } from "#lib/counterparties/counterparties.ts";
import { createObligation, patchObligation } from "#lib/obligations/obligations.ts";
import type { NewObligation } from "#lib/obligations/schema.ts";
import { fillTemplate } from "#lib/templates/fill.ts";
import { createFromTemplate } from "#lib/templates/generate.ts";
import { counterparties, type Other, type Party } from "./counterparties.ts";
import { beginning, moment } from "./days.ts";
import type { Member } from "./members.ts";
import { uploadPaper } from "./paper.ts";
import { act, sendOut } from "./signing.ts";
import type { By, Duty, Money, Move, Story } from "./story.ts";
import type { Shipped } from "./templates/shipped.ts";

export interface Step {
  at: Date;
  by: By;
  take(ctx: Context, world: World): Promise<void>;
}

/** What the steps have created so far, and the recurring obligations that members take care of. */
export interface World {
  users: Map<Member, string>;
  parties: Map<Party, string>;
  templates: Record<Shipped, { id: string; docx: Uint8Array }>;
  chores: Chore[];
}

/** A recurring obligation, who completes it, and until which day. */
export interface Chore {
  id: string;
  by: Member;
  until: Day;
  due: Date | null;
}

/** All steps in chronological order. */
export function stepsOf(stories: Story[], today: Day): Step[] {
  const steps = [
    ...introductions(stories, today),
    ...stories.flatMap((story, index) => contractSteps(story, today, (index * 97) % 400)),
  ];
  return steps.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** A counterparty is created four days before its first contract begins, which is always an earlier working day. */
function introductions(stories: Story[], today: Day): Step[] {
  const first = new Map<Party, Story>();
  for (const story of stories) {
    const known = first.get(story.party);
    if (!known || story.begun < known.begun) first.set(story.party, story);
  }
  return [...first.values()].map(({ party, begun, owner }, index) => ({
    at: moment(today, begun - 4, (index * 61) % 450),
    by: owner,
    take: (ctx, world) => introduce(ctx, world, party),
  }));
}

async function introduce(ctx: Context, world: World, party: Party): Promise<void> {
  const { name, domain, is, notes, contacts }: Other = counterparties[party];
  const address = `${domain}.example`;
  const input = { name, domain: address, notes: notes ?? null, relationshipTypes: is };
  const { id } = await createCounterparty(ctx, input);
  world.parties.set(party, id);
  for (const [index, [person, mailbox]] of contacts.entries()) {
    await createContact(ctx, { id, name: person, email: `${mailbox}@${address}`, isPrimary: index === 0 });
  }
}

function contractSteps(story: Story, today: Day, minute: number): Step[] {
  const { begun, by, moves = [], duties = [], owner } = story;
  let id = "";
  const created: Step = {
    at: moment(today, begun, minute),
    by,
    async take(ctx, world) {
      id = await createDemoContract(ctx, story, contractFrom(story, today, world), world);
    },
  };
  const moved = moves.map((move, index) => ({
    at: moment(today, begun + move.after, minute + 9 * (index + 1)),
    by: move.by,
    take: (ctx: Context, world: World) => applyMove(ctx, world, id, move),
  }));
  const decisive = moves.find((move) => "next" in move && move.next === "EXECUTED") ?? moves.at(-1);
  const noted = Math.min(begun + (decisive?.after ?? 0) + 1, -1);
  const noting = duties.flatMap((duty, index) =>
    dutySteps({ by: owner, noted, ...duty }, today, minute + 60 + 7 * index, () => id),
  );
  return [created, ...moved, ...signingSteps(story, today, minute + 60, () => id), ...noting];
}

/** Later in the day than the contract's moves, and each step later than the previous one. */
function signingSteps({ signing }: Story, today: Day, minute: number, contractId: () => string): Step[] {
  if (!signing) return [];
  const { sent, by, ours, message, acts } = signing;
  let request: Awaited<ReturnType<typeof sendOut>>;
  const sending: Step = {
    at: moment(today, sent, minute),
    by,
    async take(ctx, { users }) {
      request = await sendOut(ctx, { contractId: contractId(), userId: users.get(ours)!, message });
    },
  };
  const acting = acts.map(
    (one, index): Step => ({
      at: moment(today, one.on, minute + 20 * (index + 1)),
      by,
      take: (ctx) => act(ctx, request, one),
    }),
  );
  return [sending, ...acting];
}

/** Creates the contract with its first document, generated from a template or uploaded. */
async function createDemoContract(
  ctx: Context,
  story: Story,
  fields: NewContract,
  world: World,
): Promise<string> {
  const { drawn, party } = story;
  if (!drawn) {
    const { id } = await createContract(ctx, fields);
    await uploadPaper(ctx, id, story, { ...fields, counterparty: counterparties[party].name });
    return id;
  }
  const { id: templateId, docx } = world.templates[drawn.from];
  const { type: _, executedAt: __, counterpartyId, ...terms } = fields;
  const { variables = {}, sections = {} } = drawn;
  const input = { ...terms, templateId, counterpartyId: counterpartyId!, variables, sections };
  // These templates are our own, so they can be filled in without a sandboxed process.
  const made = await createFromTemplate(ctx, input, async (_, data) => fillTemplate(docx, data));
  return made.contractId;
}

function contractFrom(story: Story, today: Day, world: World): NewContract {
  const { title, type, ourRole, party, owner, value, term, signed } = story;
  return {
    ...{ title, type, ourRole, ownerId: world.users.get(owner)!, counterpartyId: world.parties.get(party)! },
    ...(value ? cents(value) : {}),
    ...(signed === undefined ? {} : { executedAt: midnight(addDays(today, signed)) }),
    ...(term && {
      effectiveDate: midnight(beginning(term, today)),
      termMonths: term.months ?? null,
      autoRenews: term.renews !== undefined,
      renewalMonths: term.renews ?? null,
    }),
  };
}

function cents([currency, amount]: Money) {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return { valueCents: BigInt(amount) * 10n ** BigInt(digits), valueCurrency: currency };
}

async function applyMove(ctx: Context, world: World, id: string, move: Move): Promise<void> {
  if ("next" in move) {
    await moveContract(ctx, { id, next: move.next, reason: move.reason ?? null });
    return;
  }
  const { title, value, owner } = move.revised;
  const ownerId = owner && world.users.get(owner);
  await patchContract(ctx, { id, title, ownerId, ...(value ? cents(value) : {}) });
}

type Noted = Duty & { by: By; noted: number };

function dutySteps(duty: Noted, today: Day, minute: number, contractId: () => string): Step[] {
  let id = "";
  const noted: Step = {
    at: moment(today, duty.noted, minute),
    by: duty.by,
    async take(ctx, world) {
      const row = await createObligation(ctx, obligationFrom(duty, today, contractId()));
      id = row.id;
      if (duty.kept && !duty.accepted) world.chores.push(chore(duty, today, row));
    },
  };
  const decisions = [
    { status: "UPCOMING", decision: duty.accepted },
    { status: "COMPLETED", decision: duty.done },
    { status: "WAIVED", decision: duty.waived },
  ] as const;
  const decided = decisions.flatMap(({ status, decision }): Step[] => {
    if (!decision) return [];
    const [day, by] = decision;
    const take = async (ctx: Context, world: World) => {
      const row = await patchObligation(ctx, { id, status });
      if (duty.kept) world.chores.push(chore(duty, today, row));
    };
    return [{ at: moment(today, day, minute + 40), by, take }];
  });
  return [noted, ...decided];
}

function chore({ kept }: Duty, today: Day, row: { id: string; resolvedDate: Date | null }): Chore {
  return { id: row.id, by: kept!.by, until: addDays(today, kept!.until ?? -1), due: row.resolvedDate };
}

function obligationFrom(duty: Noted, today: Day, contractId: string): NewObligation {
  const { kind, title, description, sourceText, from, before, after, unit, on, every, by } = duty;
  const input = {
    ...{ contractId, kind, title, anchorType: from, description, sourceText },
    ...{ offsetValue: before ?? after ?? 0, offsetUnit: unit ?? "DAY" },
    offsetDirection: before === undefined ? "AFTER" : "BEFORE",
    fixedDate: on === undefined ? null : midnight(addDays(today, on)),
    recurrenceMonths: every ?? null,
    source: by === "assistant" ? "AI" : by === "erp" ? "IMPORT" : "MANUAL",
    ...(by === "assistant" ? { state: "SUGGESTED" } : {}),
  };
  // API requests cannot create suggestions, so this type has neither their state nor their source. createObligation
  // stores both as given.
  return input as NewObligation;
}
