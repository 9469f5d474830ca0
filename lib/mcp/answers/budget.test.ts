/** What an answer is said to cost is never less than what it costs: held against the tokenizer itself. */
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { projectPath } from "#lib/core/root.ts";
import { Budget, clip, clipToTokens, estimateTokens, takeFitting } from "./budget.ts";

const cost = (text: string) =>
  [countTokens(JSON.stringify(text)), estimateTokens(JSON.stringify(text))] as const;

/** Letters by chance, the costliest text there is. */
function chance(letters: string, count: number, wordLength = count): string {
  const all = [...letters];
  // The same text every time, and none that a tokenizer has seen.
  let seed = 1;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return all[seed % all.length];
  };
  const word = () => Array.from({ length: wordLength }, next).join("");
  return Array.from({ length: Math.ceil(count / wordLength) }, word).join(" ");
}

const between = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join("");

const small = "abcdefghijklmnopqrstuvwxyz";

test("the token estimate is never below the tokenizer's count, in any tested script", () => {
  const texts = {
    english: readFileSync(projectPath("docs", "security.md"), "utf8"),
    words: chance(small, 3000, 6),
    "short words": chance(small, 3000, 2),
    capitals: chance(small.toUpperCase(), 3000, 4),
    mixed: chance(small + small.toUpperCase(), 3000),
    ids: chance("0123456789abcdefghjkmnpqrstvwxyz", 3000, 26),
    base64: chance(`${small}${small.toUpperCase()}0123456789+/`, 3000),
    signs: chance(between(0x21, 0x2f) + between(0x3a, 0x40) + between(0x5b, 0x60), 3000),
    digits: chance("0123456789", 3000, 1),
    "line ends": chance(" \n\t\r", 3000),
    control: chance(between(1, 31), 1000),
    accents: chance(between(0xc0, 0x24f), 3000),
    greek: chance(between(0x370, 0x3ff), 2000),
    cyrillic: chance(between(0x400, 0x52f), 3000),
    hebrew: chance(between(0x590, 0x5ea), 3000),
    arabic: chance(between(0x600, 0x6ff), 3000),
    devanagari: chance(between(0x900, 0x97f), 3000),
    thai: chance(between(0xe01, 0xe7f), 3000),
    ethiopic: chance(between(0x1200, 0x135a), 2000),
    quotes: "“shall”— ‘the’ – ".repeat(200),
    kana: chance(between(0x3041, 0x30ff), 3000),
    han: chance(between(0x4e00, 0x9fff), 3000),
    hangul: chance(between(0xac00, 0xd7a3), 3000),
    cuneiform: chance(between(0x12000, 0x12399), 1000),
    emoji: chance(between(0x1f300, 0x1f6ff), 1000),
  };
  const under = Object.entries(texts).filter(([, text]) => {
    const [is, most] = cost(text);
    return is > most;
  });
  expect(under.map(([name]) => name)).toEqual([]);
});

test("the token estimate for English is less than 2.5 times the tokenizer's count", () => {
  const [is, most] = cost(readFileSync(projectPath("README.md"), "utf8"));
  expect(most / is).toBeLessThan(2.5);
});

test("the beginning of a text is its longest prefix that fits the budget, and is well-formed", () => {
  const needed = (text: string) => estimateTokens(JSON.stringify(text).slice(1, -1));
  const check = (text: string, most: number) => {
    const part = clipToTokens(text, most);
    expect(text.startsWith(part)).toBe(true);
    expect(part.isWellFormed() || !text.isWellFormed()).toBe(true);
    expect(needed(part)).toBeLessThanOrEqual(most);
    if (part === text) return;
    // Words are not cut: the next longer beginning has another word, and exceeds the budget.
    let more = most + 1;
    while (clipToTokens(text, more) === part) more++;
    expect(needed(clipToTokens(text, more))).toBeGreaterThan(most);
  };
  const budget = fc.integer({ min: 0, max: 200 });
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), budget, check));
  // Parts that cost more together than alone, once they are escaped.
  const parts = fc.constantFrom("\\", "\n", " ", "5", "x", "agreement", '"', "!", "\u0001", "🙂", "\ud800");
  fc.assert(fc.property(fc.string({ unit: parts, maxLength: 100 }), budget, check), { numRuns: 300 });
  for (const part of ["\n 5", "\\xagreement ", '!"']) check(part.repeat(100), 100);
  expect(clipToTokens("a".repeat(10_000), 100).length).toBeGreaterThan(100);
  expect(clipToTokens("short", 100)).toBe("short");
});

test("a clipped text says how many characters are left out, and splits no surrogate pair", () => {
  expect(clip("abc🙂def", 4)).toBe("abc… [5 more characters]");
  expect(clip("abc🙂def", 5)).toBe("abc🙂… [3 more characters]");
  expect(clip("short", 5)).toBe("short");
});

test("a list takes as many items as fit its budget, and at least one", () => {
  const same = (item: string) => item;
  const items = Array.from({ length: 50 }, () => chance(small, 100, 6));
  const some = takeFitting(new Budget(1000), items, (item) => `- ${item}`, same);
  expect(some.count).toBeGreaterThan(2);
  expect(some.count).toBeLessThan(50);
  expect(countTokens(JSON.stringify([some.items, some.lines]))).toBeLessThanOrEqual(1000);
  expect(takeFitting(new Budget(1), items, same, same).count).toBe(1);
});

test("of items that are costly to make, only those that fit are made, and one more", () => {
  let made = 0;
  const items = (function* () {
    while (made < 10_000) yield `item ${++made}`;
  })();
  const same = (item: string) => item;
  const { count } = takeFitting(new Budget(100), items, same, same);
  expect(count).toBeGreaterThan(1);
  expect(made).toBe(count + 1);
});
