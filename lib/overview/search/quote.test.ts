import { expect, test } from "@playwright/test";
import { turnsOf } from "#e2e/turns.ts";
import { phrasesOf } from "./query.ts";
import { containingAll, marksIn, quoteOf } from "./quote.ts";

const marked = (text: string, words: string[], phrases: string[][] = []) =>
  marksIn(text, (word) => words.includes(word), phrases).map(([start, end]) => text.slice(start, end));

test("words are marked regardless of accents and case", () => {
  expect(marked("The Dürer café's term – TERM.", ["durer", "term"])).toEqual(["Dürer", "term", "TERM"]);
});

test("a phrase is marked only where its words follow each other", () => {
  const text = "It is sold AS IS. As it is, nothing is as good.";
  expect(marked(text, [], [["as", "is"]])).toEqual(["AS", "IS"]);
});

test("a short clause is quoted whole", () => {
  expect(quoteOf("A short clause.", [[2, 7]])).toEqual({
    quote: "A short clause.",
    start: 0,
    marks: [[2, 7]],
  });
});

test("a long clause is quoted verbatim where most of its matches are, in at most 600 characters", () => {
  const filler = "Nothing of interest stands in this sentence. ".repeat(30);
  const text = `${filler}The liability of the supplier is limited; the limit of liability is the price. ${filler}liability`;
  const marks = marksIn(text, (word) => word === "liability", []);
  const { quote, start, marks: inQuote } = quoteOf(text, marks);
  expect(quote).toBe(text.slice(start, start + quote.length));
  expect(quote.length).toBeLessThanOrEqual(600);
  expect(quote).toMatch(/^The liability of the supplier/);
  expect(inQuote.map(([from, to]) => quote.slice(from, to))).toEqual(["liability", "liability"]);
});

test("a quote never splits a surrogate pair", () => {
  expect(quoteOf("𝒜".repeat(1_000), []).quote.isWellFormed()).toBe(true);
});

test("phrases are recognized in any kind of quotation marks", () => {
  expect(phrasesOf(`"as is" and “hold harmless” and „höhere Gewalt“ but "" not "!" here`)).toEqual([
    "as is",
    "hold harmless",
    "höhere Gewalt",
  ]);
});

test("in a script without spaces, each character is a word, and adjacent ones match a phrase", () => {
  const text = "保密义务：双方应保守秘密。";
  expect(marked(text, [], [["保", "密"]])).toEqual(["保", "密"]);
  expect(marked(text, ["密"])).toEqual(["密", "密"]);
  expect(marked("CISG第3条 Seller/Buyer", ["cisg", "条", "buyer"])).toEqual(["CISG", "条", "Buyer"]);
});

test("while a phrase is looked for in the longest clauses, other requests have their turn", async () => {
  const letter = (at: number) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000));
  const clauses = Array.from({ length: 300 }, (_, clause) => ({
    clause,
    text: Array.from({ length: 4_000 }, (_, at) => letter(clause * 4_000 + at)).join(""),
  }));
  const phrase = [...clauses[7]!.text.slice(100, 103)];
  let found: number[] = [];
  const { longestMs, totalMs } = await turnsOf(async () => {
    found = (await containingAll(clauses, [phrase])).map(({ clause }) => clause);
  });
  expect(found).toContain(7);
  expect(longestMs).toBeLessThan(totalMs / 3);
});
