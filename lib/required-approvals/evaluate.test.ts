import { expect, test } from "@playwright/test";
import {
  applies,
  type Conditions,
  type Facts,
  type Rule,
  requirementOf,
  uncovered,
  without,
} from "./evaluate.ts";

const nothing: Conditions = { types: [], ourRoles: [], value: null, relationshipTypes: [], deviation: null };

const facts: Facts = {
  ...{ type: "MSA", ourRole: "CUSTOMER", valueCents: "1000000", valueCurrency: "USD" },
  ...{ relationshipTypes: ["VENDOR"], origin: "SAME" },
};

const applied = (conditions: Partial<Conditions>, of: Partial<Facts> = {}) =>
  applies({ conditions: { ...nothing, ...conditions } }, { ...facts, ...of });

const usd = (atLeastCents: string) => ({ value: { atLeastCents, currency: "USD" } });

test("a rule applies only if all its conditions hold, and a rule without conditions always applies", () => {
  expect(applied({})).toBe(true);
  expect(applied({ types: ["NDA", "MSA"] })).toBe(true);
  expect(applied({ types: ["NDA"] })).toBe(false);
  expect(applied({ ourRoles: ["CUSTOMER"] })).toBe(true);
  expect(applied({ ourRoles: ["VENDOR"] })).toBe(false);
  expect(applied({ types: ["MSA"], ourRoles: ["VENDOR"] })).toBe(false);
  expect(applied({ relationshipTypes: ["PARTNER", "VENDOR"] })).toBe(true);
  expect(applied({ relationshipTypes: ["PARTNER"] })).toBe(false);
  expect(applied({ relationshipTypes: ["VENDOR"] }, { relationshipTypes: null })).toBe(false);
});

test("a value condition holds from its threshold on, and for a missing value or one in another currency", () => {
  expect(applied(usd("1000000"))).toBe(true);
  expect(applied(usd("1000001"))).toBe(false);
  // Beyond what a number holds exactly.
  expect(applied(usd("9223372036854775807"), { valueCents: "9223372036854775806" })).toBe(false);
  expect(applied(usd("1000001"), { valueCents: null, valueCurrency: null })).toBe(true);
  expect(applied(usd("1000001"), { valueCents: "1", valueCurrency: "EUR" })).toBe(true);
});

test("a changed document deviates from its template, and one without a template only under CHANGED_OR_NONE", () => {
  const expected = { CHANGED: [false, true, false], CHANGED_OR_NONE: [false, true, true] };
  for (const [deviation, results] of Object.entries(expected)) {
    const found = (["SAME", "CHANGED", "NONE"] as const).map((origin) =>
      applied({ deviation: deviation as Conditions["deviation"] }, { origin }),
    );
    expect(found, deviation).toEqual(results);
  }
});

const rule = (
  id: string,
  conditions: Partial<Conditions>,
  ...steps: Partial<Rule["steps"][number]>[]
): Rule => ({
  ...{ id, name: id, revision: 1, conditions: { ...nothing, ...conditions } },
  steps: steps.map((step) => ({ needs: "ANY", role: null, userIds: [], ...step })),
});

test("steps follow the order of the rules, and a step that several rules require appears once", () => {
  const rules = [
    rule("one", {}, { userIds: ["ada", "grace"] }, { role: "owner" }),
    rule("two", { types: ["NDA"] }, { userIds: ["never"] }),
    rule("three", {}, { userIds: ["grace", "ada"] }, { needs: "ALL", userIds: ["ada", "grace"] }),
    rule("four", {}, { needs: "ALL", userIds: ["linus"] }, { userIds: ["linus"] }, { role: "owner" }),
  ];
  const { rules: applying, steps } = requirementOf(rules, facts);
  expect(applying.map(({ id }) => id)).toEqual(["one", "three", "four"]);
  expect(steps.map(({ needs, role, userIds }) => [needs, role, ...userIds].join(" "))).toEqual([
    "ANY  ada grace",
    "ANY owner",
    "ALL  ada grace",
    "ALL  linus",
  ]);
});

test("an approval given under another revision of a rule does not cover that rule", () => {
  const rules = [rule("one", {}, { role: "owner" }), { ...rule("two", {}, { role: "owner" }), revision: 2 }];
  const left = (given: { id: string; revision: number }[]) => uncovered(rules, given).map(({ id }) => id);
  expect(left([])).toEqual(["one", "two"]);
  expect(
    left([
      { id: "one", revision: 1 },
      { id: "two", revision: 1 },
    ]),
  ).toEqual(["two"]);
  expect(
    left([
      { id: "two", revision: 2 },
      { id: "one", revision: 1 },
    ]),
  ).toEqual([]);
});

test("a contract's steps are those of all applying rules, each once, and none if no rule applies", () => {
  const types = ["MSA", "NDA"];
  const values = [null, "1", "1000"];
  const currencies = ["USD", "EUR"];
  const parties = [null, [], ["VENDOR"]];
  const origins = ["SAME", "CHANGED", "NONE"] as const;
  const rules = [
    rule("type", { types: ["NDA"] }, { role: "admin" }),
    rule("value", usd("500"), { role: "owner" }, { needs: "ALL", userIds: ["ada"] }),
    rule("party", { relationshipTypes: ["VENDOR"] }, { userIds: ["ada"] }),
    rule("origin", { deviation: "CHANGED" }, { role: "member", needs: "ALL" }),
  ];
  let seen = 0;
  for (const type of types)
    for (const valueCents of values)
      for (const valueCurrency of currencies)
        for (const relationshipTypes of parties)
          for (const origin of origins) {
            const of = { ...facts, type, valueCents, valueCurrency, relationshipTypes, origin };
            const { rules: applying, steps } = requirementOf(rules, of);
            expect(steps.length > 0).toBe(applying.length > 0);
            expect(without(steps)).toEqual(steps);
            const asked = applying.flatMap((one) => one.steps);
            expect(without(asked, steps)).toEqual([]);
            expect(without(steps, asked)).toEqual([]);
            seen++;
          }
  expect(seen).toBe(108);
});
