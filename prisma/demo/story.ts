/**
 * The format of the demo's stories. Days are numbers relative to the day of seeding (yesterday is -1), so that the
 * workspace looks current whenever it is created; the days of moves count from the contract's beginning.
 */
import type { ContractStatus } from "#lib/contracts/lifecycle.ts";
import type { contractTypes, ourRoles } from "#lib/contracts/schema.ts";
import type { AnchorType, ObligationKind, OffsetUnit } from "#lib/obligations/lifecycle.ts";
import type { Party } from "./counterparties.ts";
import type { Member } from "./members.ts";
import type { Shipped } from "./templates/shipped.ts";

/** A member, the API key of the ERP synchronization, or the assistant, which only makes suggestions. */
export type By = Member | "erp" | "assistant";

export type Money = [currency: string, amount: number];

export type Term =
  /** Begins on that day if it is the first of a month, otherwise on the first of the next month. */
  | { from: number; months?: number; renews?: number }
  /** Begins on exactly that day. */
  | { on: number; months?: number; renews?: number }
  /** Begins on the day that makes it end `endsIn` days from today. */
  | { endsIn: number; months: number; renews?: number };

export interface Story {
  title: string;
  type: (typeof contractTypes)[number];
  ourRole: (typeof ourRoles)[number];
  party: Party;
  owner: Member;
  value?: Money;
  term?: Term;
  /** The day it was signed, if that was before it was added to the workspace. */
  signed?: number;
  begun: number;
  by: By;
  /** The template that it was generated from; without one, its document was uploaded. */
  drawn?: Drawn;
  moves?: Move[];
  signing?: Signing;
  duties?: Duty[];
}

/** A signature request; its days count from the day of seeding. */
export interface Signing {
  sent: number;
  by: Member;
  /** Who countersigns. */
  ours: Member;
  message?: string;
  acts: SigningAct[];
}

export interface SigningAct {
  on: number;
  who: "ours" | "theirs";
  does: "opens" | "signs" | "declines";
  /** The signer's position, for `signs`. */
  as?: string;
  /** For `declines`. */
  reason?: string;
}

export interface Drawn {
  from: Shipped;
  variables?: Record<string, string>;
  sections?: Record<string, boolean>;
}

export type Move = { after: number; by: Member } & (
  | { next: ContractStatus; reason?: string }
  | { revised: { title?: string; value?: Money; owner?: Member } }
);

export interface Duty {
  kind: ObligationKind;
  title: string;
  description?: string;
  sourceText?: string;
  from: AnchorType;
  /** The offset, and its unit, by default DAY. */
  before?: number;
  after?: number;
  unit?: OffsetUnit;
  /** The date of a FIXED_DATE or EVENT. */
  on?: number;
  /** The recurrence interval in months. */
  every?: number;
  /** Who added it; by default the contract's owner. */
  by?: By;
  /** When it was added; by default the day after the contract's execution, else after its last move. */
  noted?: number;
  done?: [day: number, by: Member];
  waived?: [day: number, by: Member];
  /** Who accepted the assistant's suggestion, and when. */
  accepted?: [day: number, by: Member];
  /** Who completes each occurrence of a recurring obligation, and until which day; later ones stay open. */
  kept?: { by: Member; until?: number };
}

export const contract = (
  title: string,
  type: Story["type"],
  ourRole: Story["ourRole"],
  rest: Omit<Story, "title" | "type" | "ourRole">,
): Story => ({ title, type, ourRole, ...rest });

export const duty = (kind: ObligationKind, title: string, rest: Omit<Duty, "kind" | "title">): Duty => ({
  kind,
  title,
  ...rest,
});

const to =
  (next: ContractStatus) =>
  (after: number, by: Member, reason?: string): Move => ({ after, by, next, reason });

export const review = to("IN_REVIEW");
export const negotiate = to("NEGOTIATING");
export const approve = to("APPROVED");
export const execute = to("EXECUTED");
export const terminate = to("TERMINATED");
export const cancel = to("CANCELLED");

export const revise = (
  after: number,
  by: Member,
  revised: { title?: string; value?: Money; owner?: Member },
): Move => ({
  after,
  by,
  revised,
});
