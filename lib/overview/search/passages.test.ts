import { expect, test } from "@playwright/test";
import { languageOf } from "./language.ts";
import { pageAt, readPassages } from "./passages.ts";

const read = (...pages: string[]) => readPassages({ pages }).passages;

test("a clause keeps its number, its text and its section's heading", () => {
  const page =
    "8. LIMITATION OF LIABILITY\n8.1 Neither party is liable for lost profits.\n8.2 Nothing limits fraud.";
  expect(read(page)).toEqual([
    {
      ...{
        label: "8.1",
        heading: "LIMITATION OF LIABILITY",
        text: "Neither party is liable for lost profits.",
      },
      ...{ pageIndex: 0, pageStarts: [] },
    },
    {
      ...{ label: "8.2", heading: "LIMITATION OF LIABILITY", text: "Nothing limits fraud." },
      ...{ pageIndex: 0, pageStarts: [] },
    },
  ]);
});

test("a clause's own title is appended to its section's heading", () => {
  const [clause] = read("9. TERM\n9.1 Renewal. This agreement renews every year.");
  expect(clause!.heading).toBe("TERM › Renewal");
});

test("in a clause that spans pages, the page of each word is known", () => {
  const [clause] = read("1. Payment. The customer pays", "within thirty days", "of each invoice.");
  const at = (word: string) => pageAt(clause!, clause!.text.indexOf(word));
  expect([at("customer"), at("thirty"), at("invoice")]).toEqual([0, 1, 2]);
});

test("an overlong clause is split at the ends of sentences, without losing text", () => {
  const sentence = (n: number) => `Duty number ${n} is to be performed with care and in time.`;
  const text = Array.from({ length: 500 }, (_, n) => sentence(n)).join(" ");
  const parts = read(`1. ${text}`);
  expect(parts.length).toBeGreaterThan(5);
  expect(Math.max(...parts.map((part) => part.text.length))).toBeLessThanOrEqual(4_000);
  expect(parts.every((part) => part.text.endsWith("."))).toBe(true);
  expect(parts.map((part) => part.text).join(" ")).toBe(text);
});

test("an overlong word is split without breaking a character", () => {
  const parts = read(`1. A${"𝒜".repeat(5_000)}`);
  expect(parts.every(({ text }) => text.isWellFormed() && text.length <= 4_000)).toBe(true);
  expect(parts.map(({ text }) => text).join("")).toHaveLength(10_001);
});

test("a list of 100,000 lines becomes fewer than 10,000 passages, and each line keeps its page", () => {
  const line = (page: number, n: number) => `${n + 1}. Item ${page}x${n} of the list.`;
  const pages = Array.from({ length: 200 }, (_, page) =>
    Array.from({ length: 500 }, (_, n) => line(page, n)).join("\n"),
  );
  const passages = read(...pages);
  expect(passages.length).toBeLessThan(10_000);
  for (const item of ["Item 0x3 ", "Item 120x250 ", "Item 199x490 "]) {
    const passage = passages.find(({ text }) => text.includes(item))!;
    const [page] = /\d+/.exec(item)!;
    expect(pageAt(passage, passage.text.indexOf(item))).toBe(Number(page));
  }
});

test("a document's language is detected by its common words, and defaults to English", () => {
  expect(
    languageOf(
      "Der Vertrag wird auf unbestimmte Zeit geschlossen und kann mit einer Frist von drei Monaten gekündigt werden.",
    ),
  ).toBe("german");
  expect(
    languageOf(
      "Le présent contrat est conclu pour une durée de trois ans et peut être résilié par les parties.",
    ),
  ).toBe("french");
  expect(languageOf("El presente contrato tendrá una duración de un año y se renovará por las partes.")).toBe(
    "spanish",
  );
  expect(languageOf("This agreement shall be governed by the laws of the State of New York.")).toBe(
    "english",
  );
  expect(languageOf("4711 XK-9 2026-01-31 EUR 100")).toBe("english");
  expect(languageOf("")).toBe("english");
});
