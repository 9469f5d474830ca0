import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import type { Sources } from "./bindings.ts";
import { dataOf, requiresInput, resolve } from "./resolve.ts";
import { TemplateRule, TemplateSettings, type VariableType } from "./schema.ts";
import { carriedOver, settingsFor } from "./settings.ts";
import { settingsIssues } from "./settings-issues.ts";
import { parseValue, printable, printValue } from "./values.ts";

const sources: Sources = {
  contract: {
    customFields: { "cost-centre": "Sales {{EMEA}}", seats: "12.50", "go-live": "2027-01-31", note: null },
    ...{ title: null, type: "MSA", ourRole: "VENDOR", effectiveDate: "2026-02-01", expiresAt: "2027-01-31" },
    ...{ termMonths: 12, autoRenews: true, renewalMonths: null, valueCents: "4800050", valueCurrency: "EUR" },
  },
  counterparty: { name: "Northwind Traders", domain: null },
  contact: null,
  organization: { name: "Countersign Ltd", currency: "USD" },
  owner: { name: "Olive Owner", email: "olive@countersign.example" },
  today: "2026-01-15",
};

type Say = { [K in keyof TemplateSettings]?: unknown };

function settings(said: Say = {}): TemplateSettings {
  return TemplateSettings.parse({ name: "Agreement", contractType: "MSA", ourRole: "VENDOR", ...said });
}

const variable = (key: string, more: object = {}) => ({ key, label: key, type: "text", ...more });
const section = (tag: string, more: object = {}) => ({ tag, label: tag, ...more });

const solve = (said: Say, variables = {}, sections = {}, from = sources) =>
  resolve(settings(said), { variables, sections }, from);
const filled = (said: Say, variables = {}, from = sources) => dataOf(solve(said, variables, {}, from)).values;
const switched = (said: Say, sections = {}, variables = {}) => solve(said, variables, sections).sections.on;
const paths = (said: Say, variables = {}, sections = {}) =>
  solve(said, variables, sections).issues.map(({ path }) => path);

test("a supplied value takes precedence over the binding, and the binding over the default", () => {
  const variables = [variable("who", { binding: "counterparty.name", defaultValue: "someone" })];
  expect(filled({ variables }, { who: "Us" })).toEqual({ who: "Us" });
  expect(filled({ variables }, { who: " " })).toEqual({ who: "Northwind Traders" });
  expect(filled({ variables }, { who: null })).toEqual({ who: "Northwind Traders" });
  expect(filled({ variables }, {}, { ...sources, counterparty: null })).toEqual({ who: "someone" });
});

test("dates, numbers, amounts and booleans are printed in English, and text length counts characters", () => {
  const print = (type: VariableType, given: string | number | boolean, options: string[] = []) => {
    const value = parseValue(given, { type, options, currency: "USD" });
    return typeof value === "string" || value === null ? `! ${value}` : printValue(value);
  };
  expect(print("date", "2026-01-31")).toBe("31 January 2026");
  expect(print("number", 1234567.5)).toBe("1,234,567.5");
  expect(print("number", "-999")).toBe("-999");
  expect(print("number", "123456789012345.123456")).toBe("123,456,789,012,345.123456");
  expect(print("currency", "1250")).toBe("USD 1,250.00");
  expect(print("currency", "EUR 999999.5")).toBe("EUR 999,999.50");
  expect(print("currency", "JPY 1250000")).toBe("JPY 1,250,000");
  expect(print("boolean", true)).toBe("Yes");
  expect(print("boolean", "false")).toBe("No");
  expect(print("select", "b", ["a", "b"])).toBe("b");
  expect(print("textarea", "one\r\ntwo")).toBe("one\ntwo");
  // A character counts as one, however many code units it takes.
  expect(print("text", "😀".repeat(500))).toBe("😀".repeat(500));
  expect(print("text", "😀".repeat(501))).toBe("! must be at most 500 characters");
});

test("values are printed in English whatever the server's locale and time zone", async () => {
  const script = `import { parseValue, printValue } from ${JSON.stringify(join(import.meta.dirname, "values.ts"))};
    const given = { date: "2026-01-31", number: "1234567.5", currency: "1250", boolean: "true" };
    const printed = Object.entries(given).map(([type, text]) => printValue(parseValue(text, { type, currency: "EUR" })));
    console.log(JSON.stringify([(1234.5).toLocaleString(), ...printed]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...process.env, LC_ALL: "ar_EG.UTF-8", TZ: "America/Los_Angeles" },
  });
  const [there, ...printed] = JSON.parse(stdout);
  expect(there).toBe("١٬٢٣٤٫٥");
  expect(printed).toEqual(["31 January 2026", "1,234,567.5", "EUR 1,250.00", "Yes"]);
});

test("a value that does not fit its type is refused with a message that says what it must be", () => {
  const refused: [string, unknown, string][] = [
    ["date", "2026-02-30", "must be a date such as 2026-01-31"],
    ["date", "31.1.2026", "must be a date"],
    ["number", "1,000", "must be a number"],
    ["number", "1e9", "must be a number"],
    ["currency", "12.345", "at most 2 decimals in EUR"],
    ["currency", "XYZ 12", "must be an amount"],
    ["boolean", "yes", "true or false"],
    ["select", "c", "must be one of a, b"],
    ["email", "nobody", "must be an e-mail address"],
    ["email", "a\u0000@b.example", "control characters"],
    ["email", "a\ud800@b.example", "valid Unicode"],
    ["text", "two\nlines", "must be one line"],
    ["text", "x".repeat(501), "at most 500 characters"],
    ["text", "bell\u0007", "control characters"],
    ["text", "{{signature:9}}", "must not contain {{"],
    ["text", "\ud800", "valid Unicode"],
  ];
  for (const [type, given, message] of refused) {
    const { issues } = solve({ variables: [variable("v", { type, options: ["a", "b"] })] }, { v: given });
    expect(issues, `${type} ${given}`).toEqual([
      { path: "variables.v", message: expect.stringContaining(message) },
    ]);
  }
});

test("bound values come from the contract, its parties and the date, formatted by type and sanitized", () => {
  const bind = (binding: string, type: string) => filled({ variables: [variable("v", { type, binding })] }).v;
  expect(bind("contract.value", "currency")).toBe("EUR 48,000.50");
  expect(bind("contract.effectiveDate", "date")).toBe("1 February 2026");
  expect(bind("contract.termMonths", "number")).toBe("12");
  expect(bind("contract.autoRenews", "boolean")).toBe("Yes");
  expect(bind("contract.ourRole", "text")).toBe("vendor");
  expect(bind("organization.name", "text")).toBe("Countersign Ltd");
  expect(bind("owner.email", "email")).toBe("olive@countersign.example");
  expect(bind("today", "date")).toBe("15 January 2026");
  expect(bind("contact.name", "text")).toBe("");
  const hostile = { ...sources, counterparty: { name: "A\u0000\u0007 {{signature:1}}\ud800", domain: null } };
  const variables = [variable("v", { binding: "counterparty.name" })];
  expect(filled({ variables }, {}, hostile).v).toBe("A { {signature:1} }\ufffd");
});

test("a variable bound to a custom field gets its value formatted by type, or is empty without one", () => {
  const bind = (key: string, type: string) =>
    filled({ variables: [variable("v", { type, binding: `contract.customFields.${key}` })] }).v;
  expect(bind("cost-centre", "text")).toBe("Sales { {EMEA} }");
  expect(bind("seats", "number")).toBe("12.50");
  expect(bind("go-live", "date")).toBe("31 January 2027");
  expect([bind("note", "text"), bind("gone", "text"), bind("constructor", "text")]).toEqual(["", "", ""]);
});

test("printable text never contains {{ or }}, so no data of the workspace can forge a text tag", () => {
  const nasty = fc.string({ unit: fc.constantFrom("{", "}", "a", "\u0001", " ") });
  fc.assert(
    fc.property(nasty, (text) => {
      expect(printable(text)).not.toMatch(/\{\{|\}\}/);
    }),
  );
});

test("a required variable needs input only if it has neither a binding nor a default", () => {
  const asks = (more: object) => requiresInput(settings({ variables: [variable("v", more)] }).variables[0]!);
  expect(asks({ required: true })).toBe(true);
  expect(asks({ required: true, defaultValue: "" })).toBe(true);
  expect(asks({ required: true, defaultValue: "x" })).toBe(false);
  expect(asks({ required: true, binding: "today" })).toBe(false);
  expect(asks({})).toBe(false);
});

test("a required variable is reported as missing only if its gates hold", () => {
  const said = {
    variables: [
      variable("always", { required: true }),
      variable("rate", { required: true, gates: [{ tag: "late", whenOn: true }] }),
      variable("instead", { required: true, gates: [{ tag: "late", whenOn: false }] }),
    ],
    sections: [section("late")],
  };
  expect(paths(said)).toEqual(["variables.always", "variables.instead"]);
  expect(paths(said, {}, { late: true })).toEqual(["variables.always", "variables.rate"]);
  expect(dataOf(solve(said, { rate: "8 %" })).values.rate).toBe("");
});

test("all issues are reported at once", () => {
  const said = { variables: [variable("a", { required: true }), variable("n", { type: "number" })] };
  expect(paths(said, { n: "x", unknown: 1 }, { nope: true })).toEqual([
    ...["variables.n", "variables.unknown", "variables.a", "sections.nope"],
  ]);
});

const three = {
  sections: ["a", "b", "c"].map((tag) => section(tag, { groupId: "g" })),
  sectionGroups: [{ id: "g", label: "Liability", required: true, defaultTag: "b" }],
};

test("the default section of a group is on until another one is chosen", () => {
  expect(switched(three)).toEqual({ a: false, b: true, c: false });
  expect(switched(three, { c: true })).toEqual({ a: false, b: false, c: true });
  expect(paths(three, {}, { a: true, c: true })).toEqual(["sections.a", "sections.c"]);
  expect(paths(three, {}, { b: false })).toEqual(["sections.b"]);
  const optional = { ...three, sectionGroups: [{ ...three.sectionGroups[0], required: false }] };
  expect(paths(optional, {}, { b: false })).toEqual([]);
});

test("without issues, exactly one section of a required group is on, and at most one of an optional group", () => {
  const choice = fc.option(fc.boolean(), { nil: undefined });
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.constantFrom("a", "b", null),
      choice,
      choice,
      choice,
      (required, first, a, b, c) => {
        const group = { id: "g", label: "G", required, defaultTag: first };
        const chosen: Record<string, boolean> = {};
        for (const [tag, on] of Object.entries({ a, b, c })) if (on !== undefined) chosen[tag] = on;
        const { sections, issues } = solve({ ...three, sectionGroups: [group] }, {}, chosen);
        const on = Object.values(sections.on).filter(Boolean).length;
        if (issues.length === 0) expect(on).toBeLessThanOrEqual(1);
        if (issues.length === 0 && required) expect(on).toBe(1);
        for (const [tag, wanted] of Object.entries(chosen)) {
          if (issues.length === 0) expect(sections.on[tag]).toBe(wanted);
        }
      },
    ),
  );
});

test("a section whose gates fail is off, and so is every section that depends on it", () => {
  const said = {
    sections: [
      section("inner", { defaultOn: true, gates: [{ tag: "middle", whenOn: true }] }),
      section("middle", { defaultOn: true, gates: [{ tag: "outer", whenOn: true }] }),
      section("outer"),
      section("without", { defaultOn: true, gates: [{ tag: "outer", whenOn: false }] }),
    ],
  };
  expect(switched(said)).toEqual({ outer: false, middle: false, inner: false, without: true });
  expect(switched(said, { outer: true })).toEqual({ outer: true, middle: true, inner: true, without: false });
  expect(solve(said, {}, { inner: true }).issues).toEqual([
    { path: "sections.inner", message: 'can only be on while "middle" is on' },
  ]);
});

test("a section may have the name of a JavaScript object member, such as constructor", () => {
  for (const tag of ["constructor", "toString", "hasOwnProperty", "valueOf"]) {
    const said = {
      sections: [section(tag), section("after", { gates: [{ tag, whenOn: true }], defaultOn: true })],
    };
    expect(switched(said)).toEqual({ [tag]: false, after: false });
    expect(switched(said, { [tag]: true })).toEqual({ [tag]: true, after: true });
    expect(paths(said, {}, { [tag]: true })).toEqual([]);
  }
});

test("a fixed section cannot be switched, and choosing the state that it has is accepted", () => {
  const said = { sections: [section("on", { control: "fixed", defaultOn: true })] };
  expect(switched(said)).toEqual({ on: true });
  expect(paths(said, {}, { on: true })).toEqual([]);
  expect(paths(said, {}, { on: false })).toEqual(["sections.on"]);
});

const ruled = (rule: object, more: object = {}) => ({
  variables: [
    variable("fee", { type: "currency" }),
    variable("law", { defaultValue: "England" }),
    variable("from", { type: "date" }),
    variable("eu", { type: "boolean" }),
  ],
  sections: [section("s", { control: "rule", rule, ...more })],
});

test("rules compare variables and bindings by type, and combine with all and any", () => {
  const s = (rule: object, variables = {}) => switched(ruled(rule), {}, variables).s;
  expect(s({ variable: "law", op: "equals", value: "england" })).toBe(true);
  expect(s({ variable: "law", op: "in", value: ["Wales", "Scotland"] })).toBe(false);
  expect(s({ variable: "fee", op: "greaterThan", value: 100 }, { fee: "EUR 100.01" })).toBe(true);
  expect(s({ variable: "fee", op: "greaterThan", value: 100 })).toBe(false);
  expect(s({ variable: "from", op: "lessThan", value: "2026-02-01" }, { from: "2026-01-31" })).toBe(true);
  expect(s({ variable: "eu", op: "equals", value: true }, { eu: true })).toBe(true);
  expect(s({ variable: "eu", op: "isSet", value: true })).toBe(false);
  expect(s({ variable: "eu", op: "isSet", value: false })).toBe(true);
  expect(s({ binding: "contract.termMonths", op: "lessThan", value: 24 })).toBe(true);
  expect(s({ binding: "counterparty.domain", op: "notEquals", value: "x" })).toBe(true);
  const both = [
    { variable: "law", op: "equals", value: "England" },
    { variable: "eu", op: "equals", value: true },
  ];
  expect(s({ all: both })).toBe(false);
  expect(s({ any: both })).toBe(true);
});

test("a section's rule decides whether it is on, unless the template allows overriding it", () => {
  const rule = { variable: "law", op: "equals", value: "England" };
  expect(paths(ruled(rule), {}, { s: false })).toEqual(["sections.s"]);
  expect(paths(ruled(rule), {}, { s: true })).toEqual([]);
  expect(switched(ruled(rule, { repCanOverrideRule: true }), { s: false })).toEqual({ s: false });
});

test("exactly one of greaterThan, lessThan and equals holds, and notEquals is the negation of equals", () => {
  const values = fc.record({ fee: fc.integer({ min: 0, max: 50 }), limit: fc.integer({ min: 0, max: 50 }) });
  fc.assert(
    fc.property(values, ({ fee, limit }) => {
      const is = (op: string) => switched(ruled({ variable: "fee", op, value: limit }), {}, { fee }).s;
      expect([is("greaterThan"), is("lessThan"), is("equals")].filter(Boolean)).toHaveLength(1);
      expect(is("notEquals")).toBe(!is("equals"));
    }),
  );
});

test("malformed rules, and rules nested more than four levels deep, are refused", () => {
  const nested = (depth: number): object =>
    depth === 0 ? { variable: "v", op: "isSet", value: true } : { all: [nested(depth - 1)] };
  expect(TemplateRule.safeParse(nested(4)).success).toBe(true);
  expect(TemplateRule.safeParse(nested(5)).success).toBe(false);
  for (const rule of [
    {},
    { all: [] },
    { variable: "v", op: "like", value: "x" },
    { op: "equals", value: 1 },
  ]) {
    expect(TemplateRule.safeParse(rule).success, JSON.stringify(rule)).toBe(false);
  }
});

test("the title follows the pattern, and is never empty or longer than 200 UTF-16 code units", () => {
  const title = (titlePattern: string | null, variables = {}) =>
    solve({ titlePattern, variables: [variable("project")] }, variables).title;
  expect(title("NDA with {counterparty.name}")).toBe("NDA with Northwind Traders");
  expect(title("{project} – {contract.effectiveDate}", { project: "Apollo" })).toBe(
    "Apollo – 1 February 2026",
  );
  expect(title("{project}")).toBe("Agreement");
  expect(title(null)).toBe("Agreement");
  expect(title("{project}", { project: "😀".repeat(150) })).toBe("😀".repeat(100));
  const said = { titlePattern: "By pattern", variables: [variable("v", { binding: "contract.title" })] };
  expect(filled(said).v).toBe("By pattern");
});

test("a missing value leaves no separators or empty brackets at the ends of the title", () => {
  const title = (titlePattern: string) => solve({ titlePattern, variables: [variable("project")] }, {}).title;
  expect(title("{project}: NDA – {project}")).toBe("NDA");
  expect(title("A-1, {counterparty.name} ({project})")).toBe("A-1, Northwind Traders");
  expect(title("- {project} /")).toBe("Agreement");
});

const found = {
  variables: [
    { key: "counterparty_name", gates: [] },
    { key: "notice.email", gates: [] },
    { key: "late_fee", gates: [{ tag: "late", whenOn: true }] },
  ],
  sections: [{ tag: "late", gates: [], preview: "" }],
  anchors: [],
};

test("new tags get settings suggested by their names and places, and known tags keep theirs", () => {
  const first = settingsFor(found, {}, "nda.docx");
  expect(first.variables).toMatchObject([
    { key: "counterparty_name", label: "Counterparty name", binding: "counterparty.name", type: "text" },
    { key: "notice.email", label: "Notice email", type: "email", required: true },
    { key: "late_fee", type: "currency", gates: [{ tag: "late", whenOn: true }] },
  ]);
  expect(first.sections).toMatchObject([{ tag: "late", control: "rep", defaultOn: false }]);
  expect(settingsIssues(first, found)).toEqual([]);
  const said = { ...first, variables: [{ ...first.variables[2]!, label: "Interest" }] };
  expect(settingsFor(found, said, "x").variables[2]!.label).toBe("Interest");
  expect(settingsFor({ ...found, variables: [] }, said, "x").variables).toEqual([]);
});

test("the suggested settings are valid whatever the tags are named", () => {
  const keys = ["_", "____", "_._-", "a".repeat(100), "\u{20bb7}".repeat(100), "Ελένη"];
  const tags = { ...found, variables: keys.map((key) => ({ key, gates: [] })) };
  const guessed = settingsFor(tags, {}, "nda.docx");
  expect(guessed.variables.map(({ label }) => label)).toEqual([
    ...["_", "____", "_._-", `A${"a".repeat(99)}`, "\u{20bb7}".repeat(100), "Ελένη"],
  ]);
  expect(TemplateSettings.parse(guessed)).toEqual(guessed);
});

test("when the document is replaced, gates follow the tags' new places unless they were chosen", () => {
  const gate = (tag: string) => [{ tag, whenOn: true }];
  const document = (ofRate: string[], ofLate: string[]) => ({
    variables: ["rate", "days"].map((key) => ({ key, gates: ofRate.flatMap(gate) })),
    sections: [
      { tag: "late", gates: ofLate.flatMap(gate), preview: "" },
      { tag: "other", gates: [], preview: "" },
    ],
    anchors: [],
  });
  const [first, second] = [document(["late"], ["other"]), document([], [])];
  const guessed = settingsFor(first, {}, "x");
  const said = {
    ...guessed,
    variables: guessed.variables.with(1, { ...guessed.variables[1]!, gates: gate("other") }),
  };
  const carried = carriedOver(said, second, first);
  expect(carried.variables.map(({ gates }) => gates)).toEqual([[], gate("other")]);
  expect(carried.sections.map(({ gates }) => gates)).toEqual([[], []]);
  expect(filled(carried, { rate: "5 %", days: "3" })).toEqual({ rate: "5 %", days: "" });
  expect(carriedOver(carried, first, second).variables[0]!.gates, "and back").toEqual(gate("late"));
  expect(carriedOver(said, second).variables[0]!.gates, "of an unknown place").toEqual(gate("late"));
});

test("settings that contradict the document or each other are refused, each with its path", () => {
  const wrong = settings({
    titlePattern: "{nothing}",
    variables: [
      variable("counterparty_name", { binding: "party.name" }),
      variable("counterparty_name"),
      variable("gone", { type: "select" }),
      variable("late_fee", { type: "number", defaultValue: "much", gates: [{ tag: "nope", whenOn: true }] }),
    ],
    sections: [
      section("late", { groupId: "none", control: "rule", gates: [{ tag: "other", whenOn: true }] }),
      section("other", {
        ...{ control: "rule", rule: { variable: "nope", op: "isSet", value: true } },
        gates: [{ tag: "late", whenOn: false }],
      }),
    ],
    sectionGroups: [{ id: "g", label: "G" }],
    obligations: [{ kind: "OTHER", title: "T", anchorType: "EVENT", section: "nope" }],
  });
  expect(settingsIssues(wrong, found).map(({ path }) => path)).toEqual([
    ...["variables.2.key", "variables.1.key", "variables", "sections.1.tag"],
    ...["variables.0.binding", "variables.2.options", "variables.3.gates.0.tag", "variables.3.defaultValue"],
    ...["sections.0.groupId", "sections.0.gates", "sections.0.rule", "sections.1.gates", "sections.1.rule"],
    ...["sectionGroups.0", "obligations.0.section", "titlePattern"],
  ]);
});

test("resolving any input is deterministic, never throws, and never yields {{", () => {
  const said = ruled({ variable: "fee", op: "greaterThan", value: 3 });
  const given = fc.dictionary(
    fc.constantFrom("fee", "law", "from", "eu", "other"),
    fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
  );
  fc.assert(
    fc.property(given, (variables) => {
      const once = solve(said, variables);
      expect(solve(said, variables)).toEqual(once);
      for (const text of Object.values(dataOf(once).values)) expect(text).not.toContain("{{");
    }),
  );
});
