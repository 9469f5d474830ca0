/** Measures how well dates and duties are read from contracts, compared with what lawyers marked in them. */
import { performance } from "node:perf_hooks";
import { type Finding, type Findings, readTerms } from "#lib/documents/terms/terms.ts";
import type { Flags } from "./flags.ts";
import {
  areNear,
  daysIn,
  isEmpty,
  isImplied,
  isOpen,
  keyOf,
  type Label,
  lengthsIn,
  type MarkedContract,
  readContracts,
  stands,
} from "./obligations-data.ts";
import { rounded } from "./percentiles.ts";

interface Counts {
  /** Contracts whose mark has a value that the text contains or implies. */
  labelled: number;
  right: number;
  /** Proposals of a different value, where there is a mark. */
  wrong: number;
  /** Proposals where there is no mark. */
  falseAlarms: number;
  /** Marks without an end, with a blank, or with a day that the text neither contains nor implies. */
  leftOut: number;
}

type Verdict = "right" | "wrong" | "silent";

interface Kind {
  name: string;
  label: string;
  /** What the reader found for this kind. */
  found(findings: Findings): Finding | null | undefined;
  judge(findings: Findings, label: Label, contract: MarkedContract): Verdict;
  /** Whether the mark's value can be known from the text. */
  isKnowable(label: Label, contract: MarkedContract): boolean;
}

const dutyLabels = {
  terminationForConvenience: ["Termination For Convenience", "convenience"],
  auditRights: ["Audit Rights", "audit"],
  insurance: ["Insurance", "insurance"],
  postTerminationServices: ["Post-Termination Services", "afterEnd"],
} as const;

const hasValue = ({ answer }: Label) => !isOpen(answer);
const isDayThere = ({ answer }: Label, { text }: MarkedContract) =>
  !isOpen(answer) && daysIn(answer).some((day) => stands(day, text));

const kinds: Kind[] = [
  lengthKind("renewalNotice", "Notice Period To Terminate Renewal", ({ renewalNotice }) => renewalNotice),
  lengthKind("renewalTerm", "Renewal Term", ({ renewal }) => renewal),
  {
    name: "expiration",
    label: "Expiration Date",
    found: ({ term }) => (term?.end ? term : null),
    judge: ({ term }, { answer }) => {
      if (!term?.end) return "silent";
      return daysIn(answer).some((day) => areNear(day, term.end!, 1)) ? "right" : "wrong";
    },
    isKnowable: (label, contract) => {
      if (isOpen(label.answer)) return false;
      const bases = ["Effective Date", "Agreement Date"]
        .flatMap((name) => daysIn(contract.labels[name]?.answer ?? ""))
        .filter((day) => stands(day, contract.text));
      return daysIn(label.answer).some((day) => stands(day, contract.text) || isImplied(day, label, bases));
    },
  },
  dayKind("effectiveDate", "Effective Date", ({ effectiveDate }) => effectiveDate),
  dayKind("agreementDate", "Agreement Date", ({ agreementDate }) => agreementDate),
  ...Object.entries(dutyLabels).map(([name, [label, duty]]): Kind => {
    const found = ({ duties }: Findings) => duties.find(({ kind }) => kind === duty);
    return {
      ...{ name, label, found },
      judge: (findings, { quotes }) => judgePassage(found(findings), quotes),
      isKnowable: ({ quotes }) => quotes.length > 0,
    };
  }),
  {
    name: "documentName",
    label: "Document Name",
    found: ({ title }) => title,
    judge: ({ title }, label) => judgeName(title?.name, label),
    isKnowable: hasValue,
  },
  {
    name: "parties",
    label: "Parties",
    found: ({ parties }) => parties[0],
    judge: ({ parties }, label) => {
      const verdicts = parties.map(({ name }) => judgeName(name, label));
      if (verdicts.length === 0) return "silent";
      return verdicts.includes("wrong") ? "wrong" : "right";
    },
    isKnowable: ({ quotes }) => quotes.length > 0,
  },
];

function lengthKind(
  name: string,
  label: string,
  of: (findings: Findings) => Findings["renewalNotice"],
): Kind {
  return {
    ...{ name, label, found: of },
    judge: (findings, { answer }) => {
      const found = of(findings);
      if (!found) return "silent";
      return lengthsIn(answer).includes(keyOf(found.length)) ? "right" : "wrong";
    },
    isKnowable: hasValue,
  };
}

function dayKind(name: string, label: string, of: (findings: Findings) => Findings["effectiveDate"]): Kind {
  return {
    ...{ name, label, found: of },
    judge: (findings, { answer }) => {
      const found = of(findings);
      if (!found) return "silent";
      return daysIn(answer).includes(found.date) ? "right" : "wrong";
    },
    isKnowable: isDayThere,
  };
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Marks are passages: a proposal is right if its quote shares eighty letters, or all of the shorter, with a mark. */
function judgePassage(found: Finding | undefined, quotes: string[]): Verdict {
  if (!found) return "silent";
  const quote = plain(found.quote.text);
  const marks = quotes
    .flatMap((one) => one.split("<omitted>").map(plain))
    .filter(({ length }) => length > 10);
  const meets = (a: string, b: string) => a.includes(b.slice(0, 80)) || a.includes(b.slice(-80));
  return marks.some((mark) => meets(mark, quote) || meets(quote, mark)) ? "right" : "wrong";
}

function judgeName(name: string | undefined, { quotes, answer }: Label): Verdict {
  if (!name) return "silent";
  const names = [...quotes, answer].map(plain).filter(({ length }) => length > 2);
  return names.some((one) => one.includes(plain(name)) || plain(name).includes(one)) ? "right" : "wrong";
}

export async function obligationsBench(flags: Flags): Promise<void> {
  const contracts = await readContracts(flags.data);
  const counts = new Map(kinds.map(({ name }) => [name, none()]));
  let quotes = 0;
  let exact = 0;
  let spent = 0;
  for (const contract of contracts) {
    const started = performance.now();
    const findings = readTerms({ pages: [contract.text] });
    spent += performance.now() - started;
    for (const { text } of quotesOf(findings)) {
      quotes++;
      if (text !== "" && contract.text.includes(text)) exact++;
    }
    for (const kind of kinds) count(counts.get(kind.name)!, kind, findings, contract);
  }
  const result = {
    kinds: Object.fromEntries([...counts].map(([name, one]) => [name, { ...one, ...quality(one) }])),
    quotesExact: quotes === 0 ? 100 : rounded((100 * exact) / quotes),
    msPerContract: rounded(spent / Math.max(1, contracts.length)),
  };
  process.stdout.write(flags.json ? `${JSON.stringify(result)}\n` : table(result));
  if (exact < quotes) process.exitCode = 1;
}

const none = (): Counts => ({ labelled: 0, right: 0, wrong: 0, falseAlarms: 0, leftOut: 0 });

function count(counts: Counts, kind: Kind, findings: Findings, contract: MarkedContract): void {
  const label = contract.labels[kind.label] ?? { quotes: [], answer: "" };
  const found = kind.found(findings);
  if (isEmpty(label)) {
    if (found) counts.falseAlarms++;
    return;
  }
  const verdict = kind.judge(findings, label, contract);
  if (!kind.isKnowable(label, contract)) {
    counts.leftOut++;
    if (verdict === "wrong" && !isUnsettled(label, found)) counts.wrong++;
    return;
  }
  counts.labelled++;
  if (verdict !== "silent") counts[verdict]++;
}

/** The passage is marked but has no value: a proposal from that passage is neither right nor wrong. */
function isUnsettled({ quotes, answer }: Label, found: Finding | null | undefined): boolean {
  return answer === "" && judgePassage(found ?? undefined, quotes) === "right";
}

const quotesOf = ({ parties, duties, ...single }: Findings) =>
  [...parties, ...duties, ...Object.values(single)].flatMap((one) => (one ? [one.quote] : []));

function quality({ labelled, right, wrong, falseAlarms }: Counts) {
  const proposed = right + wrong + falseAlarms;
  return {
    recall: labelled === 0 ? 100 : rounded((100 * right) / labelled),
    precision: proposed === 0 ? 100 : rounded((100 * right) / proposed),
  };
}

function table(result: {
  kinds: Record<string, Counts & { recall: number; precision: number }>;
  quotesExact: number;
  msPerContract: number;
}): string {
  const names = ["labelled", "right", "wrong", "falseAlarms", "leftOut", "recall", "precision"] as const;
  const head = ["".padEnd(26), ...names.map((name) => name.padStart(12))].join("");
  const rows = Object.entries(result.kinds).map(([kind, one]) =>
    [kind.padEnd(26), ...names.map((name) => String(one[name]).padStart(12))].join(""),
  );
  const last = `quotes exact: ${result.quotesExact} %, ${result.msPerContract} ms a contract`;
  return `${[head, ...rows, last].join("\n")}\n`;
}
