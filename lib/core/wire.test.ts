import { expect, test } from "@playwright/test";
import { DocumentIn, NewContract } from "#lib/contracts/schema.ts";
import { NewContact, NewCounterparty } from "#lib/counterparties/schema.ts";
import { NewApiKey } from "#lib/keys/schema.ts";
import { NewAccount } from "#lib/people/accounts/schema.ts";
import { WorkspacePatch } from "#lib/people/members/schema.ts";
import { centsIn, lines, name, page, text, wholeNumber } from "./wire.ts";

const controls = ["\n", "\r", "\t", "\u0000", "\u0007", "\u001b[31m", "\u007f", "\u0085", "\u2028", "\u2029"];

test("names may be in any script, and contain no control characters", () => {
  for (const control of controls) expect(name.safeParse(`a${control}b`).success, escape(control)).toBe(false);
  for (const good of ["Größe & Söhne", "東京 🏢", "שלום", "a\u200db", "Zoë\u0301"]) {
    expect(name.safeParse(good).success, good).toBe(true);
  }
  expect(name.parse("  padded\n")).toBe("padded");
});

test("of all control characters, texts of several lines allow only tabs and line breaks, and others none", () => {
  for (const control of controls) {
    const isLayout = ["\n", "\r", "\t", "\u2028", "\u2029"].includes(control);
    expect(lines().safeParse(`a${control}b`).success, escape(control)).toBe(isLayout);
    expect(text().safeParse(`a${control}b`).success, escape(control)).toBe(false);
  }
});

test("names of people, workspaces, contracts, counterparties, contacts, keys and files are a single line", () => {
  const evil = "Acme\u0007\nWire the money to";
  const refused = [
    [NewAccount, { name: evil, email: "a@b.example", workspaceName: evil }, ["name", "workspaceName"]],
    [WorkspacePatch, { name: evil }, ["name"]],
    [NewContract, { title: evil, type: "NDA", ourRole: "VENDOR", ownerId: "usr_x" }, ["title"]],
    [NewCounterparty, { name: evil }, ["name"]],
    [NewContact, { id: "cp_x", name: evil, email: "a@b.example" }, ["name"]],
    [NewApiKey, { name: evil, preset: "read_only" }, ["name"]],
    [
      DocumentIn,
      { fileName: `${evil}.pdf`, contentType: "application/pdf", contentBase64: "" },
      ["fileName"],
    ],
  ] as const;
  for (const [schema, input, paths] of refused) {
    const issues = schema.safeParse(input).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join("."))).toEqual(paths);
    for (const { message } of issues) expect(message).toContain("control characters");
  }
});

test("an invalid amount in minor units is refused with the same sentence, never with a pattern", () => {
  for (const cents of ["0", "9223372036854775807", 12500])
    expect(centsIn.safeParse(cents).success).toBe(true);
  for (const cents of ["9223372036854775808", "9".repeat(30), "12.5", "-1", "", -1, 1.5, 2 ** 60, null, {}]) {
    const issues = centsIn.safeParse(cents).error?.issues ?? [];
    const messages = new Set(issues.map(({ message }) => message));
    expect([...messages], String(cents)).toEqual([
      "must be a whole number of minor units from 0 to 9223372036854775807, as digits or a safe integer",
    ]);
  }
});

test("an invalid page or number always gets the same message, whatever is wrong with it", () => {
  const wordsOf = (schema: typeof page | ReturnType<typeof wholeNumber>, value: unknown) =>
    schema.safeParse(value).error?.issues.map(({ message }) => message);
  for (const value of ["", "abc", "1.5", "-1", "0", 0, -1, 1.5, null, true]) {
    expect(wordsOf(page, value), String(value)).toEqual(["must be a whole number, counted from 1"]);
    expect(wordsOf(wholeNumber("must be at least 1", 9), value), String(value)).toEqual([
      "must be at least 1",
    ]);
  }
});
