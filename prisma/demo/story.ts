/**
 * How the demo is written down. Plain numbers are days from the day of seeding (yesterday is -1), so that the
 * workspace looks alive whenever it is made; the days of moves count from the contract's beginning.
 */
import type { ContractStatus } from "#lib/contracts/lifecycle.ts";
import type { contractTypes, ourRoles } from "#lib/contracts/schema.ts";
import type { AnchorType, ObligationKind, OffsetUnit } from "#lib/obligations/lifecycle.ts";
import type { Party } from "./counterparties.ts";
import type { Member } from "./members.ts";
import type { Shipped } from "./templates/shipped.ts";

/** Members; the key of the ERP's synchronization; the assistant, which only suggests. */
export type By = Member | "erp" | "assistant";

export type Money = [currency: string, amount: number];

export type Term =
  /** Begins on the first of a month: that day, or the next first after it. */
  | { from: number; months?: number; renews?: number }
  /** Begins on exactly that day. */
  | { on: number; months?: number; renews?: number }
  /** Begins so that it ends in so many days. */
  | { endsIn: number; months: number; renews?: number };

export interface Story {
  title: string;
  type: (typeof contractTypes)[number];
  ourRole: (typeof ourRoles)[number];
  party: Party;
  owner: Member;
  value?: Money;
  term?: Term;
  /** The day it was signed, where that was before the workspace knew it. */
  signed?: number;
  begun: number;
  by: By;
  /** The template it was made from; without one, its document was uploaded. */
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
  /** The signer's position, for who signs. */
  as?: string;
  /** Of who declines. */
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
  /** The offset, and its unit: DAY unless said. */
  before?: number;
  after?: number;
  unit?: OffsetUnit;
  /** The day of FIXED_DATE or EVENT. */
  on?: number;
  /** Recurs after so many months. */
  every?: number;
  /** Whoever noted it, else the contract's owner. */
  by?: By;
  /** When it was noted, else the day after the contract's last move. */
  noted?: number;
  done?: [day: number, by: Member];
  waived?: [day: number, by: Member];
  /** A suggestion of the assistant that someone accepted. */
  accepted?: [day: number, by: Member];
  /** Who sees to each occurrence of one that recurs, and until when: after that, no one did. */
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
