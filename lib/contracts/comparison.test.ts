import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { clausesOf } from "./clauses.ts";
import { compareTexts } from "./comparison.ts";
import type { ComparedClause } from "./schema.ts";

const before = [
  `MASTER SERVICES AGREEMENT

Northwind Ltd – Confidential
This agreement is made between Northwind Ltd and Contoso GmbH.

1. Definitions
In this agreement "Services" means the services described in a statement of work.

2. Services
2.1 The Supplier shall perform the Services with reasonable skill and care.
2.2 The Supplier may use subcontractors only with prior written consent.
Northwind Ltd – Confidential
Page 1 of 3`,
  `Northwind Ltd – Confidential
3. Fees
3.1 The Customer shall pay each invoice within thirty (30) days of receipt. Late amounts bear interest at a rate
of four percent a year.
3.2 All fees are exclusive of value-
added tax.
4. Confidentiality
Each party shall keep the other party's Confidential Information secret and use it only for this agreement.
Page 2 of 3`,
  `Northwind Ltd – Confidential
5. Liability
Neither party is liable for indirect or consequential loss.
6. Governing law
This agreement is governed by the laws of England and Wales.
Page 3 of 3`,
];

const after = [
  `MASTER SERVICES AGREEMENT

Contract 17
This agreement is made between Northwind Ltd and Contoso GmbH.

1. Definitions
In this agreement “Services” means the services described in a statement of
work.

2. Services
2.1 The Supplier shall perform the Services with reasonable
skill and care.
2.2 The Supplier may use subcontractors only with prior written consent.
3. Data protection
The Supplier processes personal data only on documented instructions of the Customer.
Contract 17
- 1 -`,
  `Contract 17
4. Fees
4.1 The Customer shall pay each invoice within sixty (60) days of receipt. Late amounts bear interest
at a rate of four percent a year.
4.2 All fees are exclusive of value-added tax.
5. Governing law
This agreement is governed by the laws of England and Wales.
- 2 -`,
  `Contract 17
6. Confidentiality
Each party shall keep the other party's Confidential Information secret and use it only for this agreement.
- 3 -`,
];

const find = (clauses: ComparedClause[], words: string) =>
  clauses.filter((clause) => clause.words.some(({ text }) => text.includes(words)));

test("comparing two versions of a contract reports changes of wording, not of layout", () => {
  const { clauses, summary } = compareTexts(before, after);
  expect(clauses.filter(({ kind }) => kind === "changed")).toEqual([
    {
      kind: "changed",
      heading: expect.stringContaining("The Customer shall pay each invoice within"),
      from: { page: 1, label: "3.1" },
      to: { page: 1, label: "4.1" },
      words: [
        { kind: "same", text: "The Customer shall pay each invoice within" },
        { kind: "removed", text: "thirty (30)" },
        { kind: "added", text: "sixty (60)" },
        { kind: "same", text: expect.stringMatching(/^days of receipt\. .* a year\.$/) },
      ],
    },
  ]);
  expect(find(clauses, "personal data")).toMatchObject([{ kind: "added", heading: "Data protection" }]);
  expect(find(clauses, "consequential loss")).toMatchObject([
    { kind: "removed", heading: expect.any(String) },
  ]);
  expect(find(clauses, "value-added tax")).toMatchObject([{ kind: "same" }]);
  expect(summary).toMatchObject({
    added: 1,
    removed: 1,
    changed: 1,
    moved: 1,
    wordsAdded: 16,
    wordsRemoved: 12,
  });
});

test("a clause at another position is reported as moved, with its words compared", () => {
  const clause = (label: number, text: string) => `${label}. ${text}`;
  const law = "Governing law. This agreement is governed by the laws of England and Wales.";
  const a = [
    law,
    "Fees. Fees are due in thirty days.",
    "Term. The term is one year from the effective date.",
  ];
  const b = [a[1]!, a[2]!, law.replace("England and Wales", "Ireland")];
  const texts = (list: string[]) => [list.map((text, at) => clause(at + 1, text)).join("\n")];
  const { clauses } = compareTexts(texts(a), texts(b));
  expect(clauses.map(({ kind }) => kind)).toEqual(["same", "same", "moved"]);
  expect(clauses[2]!.words.filter(({ kind }) => kind !== "same")).toEqual([
    { kind: "removed", text: "England and Wales." },
    { kind: "added", text: "Ireland." },
  ]);
});

const word = fc.stringMatching(/^[a-z]{2,7}$/);
const clause = fc.array(word, { minLength: 1, maxLength: 12 });
const contract = fc.array(clause, { minLength: 1, maxLength: 12 });
/** Numbered clauses, laid out in lines of a few words and pages of a few clauses. */
const pagesOf = (clauses: string[][], lineWords: number, pageClauses: number) => {
  const texts = clauses.map((words, at) => {
    const lines = Array.from({ length: Math.ceil(words.length / lineWords) }, (_, line) =>
      words.slice(line * lineWords, (line + 1) * lineWords).join(" "),
    );
    return `${at + 1}. A${lines.join("\n")}`;
  });
  return Array.from({ length: Math.ceil(texts.length / pageClauses) }, (_, page) =>
    texts.slice(page * pageClauses, (page + 1) * pageClauses).join("\n"),
  );
};
const layout = fc.record({ line: fc.integer({ min: 3, max: 9 }), page: fc.integer({ min: 1, max: 9 }) });
const wordsOf = (pages: string[]) => clausesOf(pages).flatMap(({ words }) => words);
const said = (clauses: ComparedClause[], kinds: string[]) =>
  clauses.flatMap(({ words }) =>
    words.filter(({ kind }) => kinds.includes(kind)).flatMap(({ text }) => text.split(" ")),
  );

test("same and removed words make up the first document, and same and added words the second", () => {
  fc.assert(
    fc.property(contract, contract, layout, (a, b, { line, page }) => {
      const [from, to] = [pagesOf(a, line, page), pagesOf([...a.slice(0, 3), ...b], line, page)];
      const { clauses } = compareTexts(from, to);
      expect(said(clauses, ["same", "added"])).toEqual(wordsOf(to));
      expect(said(clauses, ["same", "removed"]).sort()).toEqual(wordsOf(from).sort());
      if (clauses.every(({ kind }) => kind !== "moved")) {
        expect(said(clauses, ["same", "removed"])).toEqual(wordsOf(from));
      }
    }),
  );
});

test("the same words on other lines and pages are not a change", () => {
  fc.assert(
    fc.property(contract, layout, layout, (clauses, a, b) => {
      const { summary } = compareTexts(pagesOf(clauses, a.line, a.page), pagesOf(clauses, b.line, b.page));
      expect(summary).toEqual({
        same: clauses.length,
        changed: 0,
        added: 0,
        removed: 0,
        moved: 0,
        wordsAdded: 0,
        wordsRemoved: 0,
      });
    }),
  );
});

test("comparing two 200-page contracts with little in common takes less than 15 s of processor time", () => {
  test.setTimeout(300_000);
  const random = (seed: number) => {
    let last = seed;
    return () => {
      last = (last * 16_807) % 2_147_483_647;
      return last / 2_147_483_647;
    };
  };
  const book = (next: () => number) =>
    Array.from({ length: 200 }, (_, page) =>
      Array.from({ length: 8 }, (_, at) => {
        const words = Array.from({ length: 60 }, () => `w${Math.floor(next() * 300)}`);
        return `${page * 8 + at + 1}. The ${words.join(" ")}`;
      }).join("\n"),
    );
  const started = process.cpuUsage();
  const { summary } = compareTexts(book(random(1)), book(random(2)));
  // Processor time in microseconds, because other processes use the machine too.
  expect(process.cpuUsage(started).user).toBeLessThan(15_000_000);
  expect(summary.wordsAdded).toBeGreaterThan(0);
});
