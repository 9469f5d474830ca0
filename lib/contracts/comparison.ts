/** Compares two texts of a contract, clause by clause and word by word. */
import { diffArrays } from "diff";
import { type Clause, clausesOf, vocabularyOf } from "./clauses.ts";
import type { ComparedClause, Comparison } from "./schema.ts";

type Words = ComparedClause["words"][number];
type Place = NonNullable<ComparedClause["from"]>;

type Pair = { from: number; to: number; isMoved: boolean };

/** The signature that the sandboxed child process calls. */
export function compare({ a, b }: { path?: undefined; a: string[]; b: string[] }): Comparison {
  return compareTexts(a, b);
}

/** Compares two documents, each given as the texts of its pages. Clauses are returned in the order of `b`. */
export function compareTexts(a: string[], b: string[]): Comparison {
  const known = new Set([...vocabularyOf(a), ...vocabularyOf(b)]);
  const before = clausesOf(a, known);
  const after = clausesOf(b, known);
  const clauses = inOrder(before, after, align(before, after));
  return { clauses, summary: summarize(clauses) };
}

/** Removes differences that are only typographic: kinds of quotation marks and dashes. */
const plain = (word: string) =>
  word
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .replace(/[‐‑–—]/g, "-");

const keyOf = ({ words }: Clause) => words.map(plain).join(" ");

/** Matches clauses: first unchanged ones in order, then changed ones between them, then moved ones. */
function align(before: Clause[], after: Clause[]): Pair[] {
  const keys = [before.map(keyOf), after.map(keyOf)] as const;
  const bags = [before.map(bagOf), after.map(bagOf)] as const;
  const pairs: Pair[] = [];
  let from = 0;
  let to = 0;
  let gap = { from, to };
  const closeGap = () => pairs.push(...pairGap(bags, gap, { from, to }));
  for (const { added, removed, count } of diffArrays(keys[0], keys[1], { timeout: 5_000 }) ?? []) {
    if (removed) from += count;
    else if (added) to += count;
    else {
      closeGap();
      for (let n = 0; n < count; n++) pairs.push({ from: from++, to: to++, isMoved: false });
      gap = { from, to };
    }
  }
  [from, to] = [before.length, after.length];
  closeGap();
  return [...pairs, ...pairMoved(bags, pairs)];
}

type Bag = { counts: Map<string, number>; size: number };

function bagOf({ words }: Clause): Bag {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(plain(word), (counts.get(plain(word)) ?? 0) + 1);
  return { counts, size: words.length };
}

/** Returns the share of words that two clauses have in common, from 0 to 1. */
function likeness(a: Bag, b: Bag): number {
  if (a.size + b.size === 0) return 1;
  const shorter = 2 * Math.min(a.size, b.size);
  if (shorter / (a.size + b.size) < changedLikeness) return 0;
  let common = 0;
  for (const [word, count] of a.counts) common += Math.min(count, b.counts.get(word) ?? 0);
  return (2 * common) / (a.size + b.size);
}

/** The likeness below which a clause counts as replaced, not changed. */
const changedLikeness = 0.4;
const movedLikeness = 0.75;
/** The fewest words of a moved clause: shorter clauses are often alike by chance. */
const movedWords = 4;
/** The most comparisons between clauses, so that comparing two books with nothing in common ends too. */
const maxComparisons = 120_000;

/** Returns the best pairs, in order: a longest common subsequence weighted by likeness. */
function pairGap(
  bags: readonly [Bag[], Bag[]],
  start: { from: number; to: number },
  end: typeof start,
): Pair[] {
  const rows = bags[0].slice(start.from, end.from);
  const columns = bags[1].slice(start.to, end.to);
  const band = Math.max(10, Math.floor(maxComparisons / Math.max(1, rows.length)));
  const slope = columns.length / Math.max(1, rows.length);
  const best = Array.from({ length: rows.length + 1 }, () => new Float32Array(columns.length + 1));
  const like = rows.map((row, at) => {
    const middle = Math.round(at * slope);
    return columns.map((column, other) => (Math.abs(other - middle) > band ? 0 : likeness(row, column)));
  });
  const paired = (i: number, j: number) =>
    like[i]![j]! >= changedLikeness ? best[i + 1]![j + 1]! + like[i]![j]! : -1;
  for (let i = rows.length - 1; i >= 0; i--) {
    for (let j = columns.length - 1; j >= 0; j--) {
      best[i]![j] = Math.max(best[i + 1]![j]!, best[i]![j + 1]!, paired(i, j));
    }
  }
  const pairs: Pair[] = [];
  for (let i = 0, j = 0; i < rows.length && j < columns.length; ) {
    if (best[i]![j] === best[i + 1]![j]) i++;
    else if (best[i]![j] === best[i]![j + 1]) j++;
    else pairs.push({ from: start.from + i++, to: start.to + j++, isMoved: false });
  }
  return pairs;
}

/** Pairs the remaining clauses that are much alike in different places, most alike first. */
function pairMoved(bags: readonly [Bag[], Bag[]], pairs: Pair[]): Pair[] {
  const froms = new Set(pairs.map(({ from }) => from));
  const tos = new Set(pairs.map(({ to }) => to));
  const left = (all: Bag[], taken: Set<number>) =>
    [...all.keys()].filter((at) => !taken.has(at) && all[at]!.size >= movedWords);
  const candidates: (Pair & { like: number })[] = [];
  let comparisons = 0;
  for (const from of left(bags[0], froms)) {
    for (const to of left(bags[1], tos)) {
      if (++comparisons > maxComparisons) break;
      const like = likeness(bags[0][from]!, bags[1][to]!);
      if (like >= movedLikeness) candidates.push({ from, to, isMoved: true, like });
    }
  }
  candidates.sort((a, b) => b.like - a.like);
  return candidates.filter(({ from, to }) => {
    if (froms.has(from) || tos.has(to)) return false;
    froms.add(from);
    tos.add(to);
    return true;
  });
}

/** The time limit for comparing the words of all clauses together. */
const allWordsMs = 8_000;

/** Returns clauses in the later document's order; a removed one follows the one that used to precede it. */
function inOrder(before: Clause[], after: Clause[], pairs: Pair[]): ComparedClause[] {
  const byTo = new Map(pairs.map((pair) => [pair.to, pair]));
  const byFrom = new Map(pairs.map((pair) => [pair.from, pair]));
  const removedAfter = new Map<number, Clause[]>();
  let anchor = -1;
  before.forEach((clause, at) => {
    const pair = byFrom.get(at);
    if (pair && !pair.isMoved) anchor = pair.to;
    else if (!pair) removedAfter.set(anchor, [...(removedAfter.get(anchor) ?? []), clause]);
  });
  const deadline = performance.now() + allWordsMs;
  const removed = (at: number) => (removedAfter.get(at) ?? []).map((clause) => alone("removed", clause));
  const kept = after.flatMap((clause, at) => {
    const pair = byTo.get(at);
    const compared = pair ? both(before[pair.from]!, clause, pair.isMoved, deadline) : alone("added", clause);
    return [compared, ...removed(at)];
  });
  return [...removed(-1), ...kept];
}

const placeOf = ({ page, label }: Clause): Place => ({ page, label });
const run = (kind: Words["kind"], words: string[]): Words => ({ kind, text: words.join(" ") });

function alone(kind: "added" | "removed", clause: Clause): ComparedClause {
  const words = clause.words.length > 0 ? [run(kind, clause.words)] : [];
  const place = kind === "added" ? { to: placeOf(clause) } : { from: placeOf(clause) };
  return { kind, heading: clause.heading, ...place, words };
}

function both(from: Clause, to: Clause, isMoved: boolean, deadline: number): ComparedClause {
  const words = diffWords(from.words, to.words, deadline);
  const kind = isMoved ? "moved" : words.every((part) => part.kind === "same") ? "same" : "changed";
  return { kind, heading: to.heading, from: placeOf(from), to: placeOf(to), words };
}

/** Text that takes too long to compare is returned as removed and added as a whole. */
function diffWords(from: string[], to: string[], deadline: number): Words[] {
  const comparator = (a: string, b: string) => plain(a) === plain(b);
  const timeout = Math.min(1_000, Math.max(1, deadline - performance.now()));
  const parts = diffArrays(from, to, { comparator, timeout });
  if (!parts) return [run("removed", from), run("added", to)];
  return parts.map(({ added, removed, value }) => run(added ? "added" : removed ? "removed" : "same", value));
}

function summarize(clauses: ComparedClause[]): Comparison["summary"] {
  const summary = { same: 0, changed: 0, added: 0, removed: 0, moved: 0, wordsAdded: 0, wordsRemoved: 0 };
  for (const { kind, words } of clauses) {
    summary[kind]++;
    for (const part of words) {
      const count = part.text.split(" ").length;
      if (part.kind === "added") summary.wordsAdded += count;
      if (part.kind === "removed") summary.wordsRemoved += count;
    }
  }
  return summary;
}
