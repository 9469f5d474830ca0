import assert from "node:assert/strict";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { canMove } from "#lib/core/lifecycle.ts";
import {
  type EnvelopeStatus,
  envelopeLifecycle,
  envelopeStatuses,
  isOutForSignature,
  signersOnTurn,
  statusAfterSigning,
  whyCannotAct,
} from "./lifecycle.ts";

/** Rows: from. Columns: to, in the same order. p: a person may request it; s: the system may set it. */
const table: Record<EnvelopeStatus, string> = {
  DRAFT: /*           */ ". p . . . . . .",
  SENT: /*            */ ". . s s . s p s",
  PARTIALLY_SIGNED: /**/ ". . . s . s p s",
  SEALING: /*         */ ". . . . s . p .",
  COMPLETED: /*       */ ". . . . . . . .",
  DECLINED: /*        */ ". . . . . . . .",
  VOIDED: /*          */ ". . . . . . . .",
  EXPIRED: /*         */ ". p . . . . . .",
};

for (const from of envelopeStatuses) {
  test(`a signature request in ${from} allows exactly the transitions in the table`, () => {
    const row = table[from].split(" ");
    for (const [column, to] of envelopeStatuses.entries()) {
      const person = canMove(envelopeLifecycle, from, to, "person");
      const system = canMove(envelopeLifecycle, from, to, "system");
      expect(`${to} ${person ? "p" : system ? "s" : "."}`).toBe(`${to} ${row[column]}`);
    }
  });
}

type Signer = Parameters<typeof whyCannotAct>[0]["signers"][number];

const signer = (id: string, orderIndex: number): Signer => ({
  ...{ id, orderIndex },
  ...{ signedAt: null, declinedAt: null, delegatedAt: null },
});

test("signers with equal order numbers act in parallel, and a higher number waits for all of them", () => {
  const round = {
    status: "SENT",
    deadline: null,
    signers: [signer("a", 0), signer("b", 0), signer("c", 5)],
  };
  const now = new Date();
  expect(signersOnTurn(round).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(whyCannotAct(round, "c", now)).toBe("not_your_turn");
  round.signers[1]!.signedAt = now;
  expect(signersOnTurn(round).map(({ id }) => id)).toEqual(["a"]);
  expect(whyCannotAct(round, "c", now)).toBe("not_your_turn");
  round.signers[0]!.delegatedAt = now;
  expect(whyCannotAct(round, "c", now)).toBeNull();
});

test("signing is refused from the exact moment of the deadline on", () => {
  const deadline = new Date("2026-03-01T12:00:00Z");
  const round = { status: "SENT", deadline, signers: [signer("a", 0)] };
  expect(whyCannotAct(round, "a", new Date(deadline.getTime() - 1))).toBeNull();
  expect(whyCannotAct(round, "a", deadline)).toBe("late");
});

type Action =
  | { kind: "sign" | "decline" | "delegate"; who: number }
  | { kind: "send" | "void" | "expire" | "seal" }
  | { kind: "extend"; by: number }
  | { kind: "wait"; hours: number };

const actions = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant("sign" as const), who: fc.nat(5) }) },
    fc.record({ kind: fc.constantFrom("decline" as const, "delegate" as const), who: fc.nat(5) }),
    fc.record({ kind: fc.constantFrom("void" as const, "expire" as const, "seal" as const) }),
    { weight: 2, arbitrary: fc.constant({ kind: "send" as const }) },
    fc.record({ kind: fc.constant("extend" as const), by: fc.integer({ min: -10, max: 60 }) }),
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.nat(30) }) },
  ),
  { minLength: 5, maxLength: 40 },
);

interface World {
  status: EnvelopeStatus;
  deadline: Date | null;
  now: number;
  signers: Signer[];
}

const hour = 3_600_000;

/** Performs one action by the domain's rules and returns whether it was accepted. */
function play(world: World, action: Action): boolean {
  const move = (to: EnvelopeStatus, by: "person" | "system") => {
    if (!canMove(envelopeLifecycle, world.status, to, by)) return false;
    world.status = to;
    return true;
  };
  const now = new Date(world.now);
  switch (action.kind) {
    case "wait":
      world.now += action.hours * hour;
      return true;
    case "send":
      return world.status === "DRAFT" && move("SENT", "person");
    case "void":
      return move("VOIDED", "person");
    case "seal":
      return move("COMPLETED", "system");
    case "expire":
      return world.deadline !== null && world.deadline <= now && move("EXPIRED", "system");
    case "extend": {
      const deadline = new Date(world.now + action.by * hour);
      if (deadline <= now || !(isOutForSignature(world.status) || world.status === "EXPIRED")) return false;
      if (world.status === "EXPIRED") move("SENT", "person");
      world.deadline = deadline;
      return true;
    }
  }
  const who = world.signers[action.who % world.signers.length]!;
  if (whyCannotAct(world, who.id, now) !== null) return false;
  if (action.kind === "decline") {
    who.declinedAt = now;
    return move("DECLINED", "system");
  }
  if (action.kind === "delegate") {
    who.delegatedAt = now;
    world.signers.push(signer(`${who.id}'`, who.orderIndex));
    return true;
  }
  const status = statusAfterSigning(world, who.id);
  if (status !== world.status) assert(move(status, "system"));
  who.signedAt = now;
  return true;
}

test("in 10,000 random histories, signers act only in order, in time, once, and before the request ends", () => {
  const beginnings = fc.record({
    orders: fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
    deadline: fc.option(fc.integer({ min: 1, max: 300 })),
    status: fc.constantFrom<EnvelopeStatus>("DRAFT", "SENT", "SENT", "SENT"),
    actions,
  });
  let taken = 0;
  fc.assert(
    fc.property(beginnings, ({ orders, deadline, status, actions: course }) => {
      const world: World = {
        ...{ status, now: 0, deadline: deadline === null ? null : new Date(deadline * hour) },
        signers: orders.map((order, index) => signer(`s${index}`, order)),
      };
      const ended = new Set<EnvelopeStatus>([
        "COMPLETED",
        "DECLINED",
        "VOIDED",
        "SEALING",
        "DRAFT",
        "EXPIRED",
      ]);
      for (const action of course) {
        const before = structuredClone(world);
        const accepted = play(world, action);
        // Not expect: the runner records a step for each, and there are hundreds of thousands.
        if (!accepted) assert.deepEqual(world, before);
        if (!("who" in action)) continue;
        // Derived without the rules, from the previous state alone.
        const who = before.signers[action.who % before.signers.length]!;
        const isFirst = !who.signedAt && !who.declinedAt && !who.delegatedAt;
        const lower = before.signers.filter(({ orderIndex }) => orderIndex < who.orderIndex);
        const inOrder = lower.every(({ signedAt, delegatedAt }) => signedAt || delegatedAt);
        const inTime = before.deadline === null || before.now < before.deadline.getTime();
        assert.equal(accepted, isFirst && inOrder && inTime && !ended.has(before.status));
        if (accepted && action.kind === "sign") taken++;
      }
      const open = world.signers.filter((one) => !one.signedAt && !one.delegatedAt);
      if (world.status === "SEALING" || world.status === "COMPLETED") assert.deepEqual(open, []);
    }),
    { numRuns: 10_000 },
  );
  // Ensures that the random sequences actually do something.
  expect(taken).toBeGreaterThan(10_000);
});
