/** An agreement's title, its kind, and its parties. */
import type { ReadDocument, Sentence } from "./document.ts";
import type { Span } from "./flow.ts";

export interface Named extends Span {
  name: string;
}

const what =
  "(?:agreement|contract|addendum|amendment(?: (?:no\\.? ?|#)\\d{1,3})?|lease|license|licence|statement of work|order form|letter of intent|memorandum of understanding|terms (?:of service|and conditions)|deed|confirmation)";
const small = "(?:of|and|for|to|the|on|a|an|in|by|with|&|-|/)";
/** Capitalized words before the word for the kind, and "for the sale of land" after it. */
const title = new RegExp(
  `(?:(?:[A-Z0-9][\\w'&/,-]{0,24}|${small}) ){0,9}?(?:[A-Z0-9#][\\w'&/-]{0,24} )?(?:${what.replaceAll("\\.", "\\.")})`,
  "i",
);
const self =
  /\bthis ((?:[A-Z][\w'&/-]{0,24},? (?:(?:of|and|for|&|to|the) )?){1,8}(?:Agreement|AGREEMENT|Contract|CONTRACT|Addendum|ADDENDUM|Amendment|AMENDMENT|Lease|LEASE|License|LICENSE))\b/g;
const selfUpper = new RegExp(self.source.replace("\\bthis", "\\b(?:This|THIS)"), "g");

/** "This Master Services Agreement (the …" is the best source; else the first line that is a title. */
export function titleOf({ flow }: ReadDocument): Named | null {
  const beginning = flow.line.slice(0, 12_000);
  const [own] = [...beginning.matchAll(selfUpper)].filter(({ 1: name = "" }) => name.split(" ").length > 1);
  if (own) {
    const start = own.index + own[0].length - own[1]!.length;
    return { name: own[1]!, start, end: start + own[1]!.length };
  }
  return firstTitle(flow.pages[0] ?? "", flow.line);
}

function firstTitle(page: string, line: string): Named | null {
  for (const written of page.slice(0, 4_000).split(/\n+/)) {
    const text = written.trim().replace(/\s+/g, " ");
    if (
      text.length > 120 ||
      /^exhibit\b.{0,12}$|^source\b|\bdated\b|confidential|treatment|portions/i.test(text)
    )
      continue;
    const found = title.exec(text.replace(/^exhibit [\w.()-]{1,9} /i, ""));
    if (!found || found[0].trim().split(" ").length < 2) continue;
    const start = line.indexOf(found[0].trim());
    if (start >= 0) return { name: found[0].trim(), start, end: start + found[0].trim().length };
  }
  const [capitals] = line.slice(0, 3_000).matchAll(inCapitals);
  if (!capitals) return null;
  const name = capitals[1]!;
  return { name, start: capitals.index, end: capitals.index + name.length };
}

const inCapitals =
  /\b((?:[A-Z][A-Z&,'/-]{1,24} (?:- )?){1,8}(?:AGREEMENT|CONTRACT|ADDENDUM|AMENDMENT|LEASE|LICENSE))\b/g;

const kinds: [RegExp, string][] = [
  [/non-?disclosure|confidentiality|\bnda\b/i, "NDA"],
  [/master (?:\w+ ){0,2}(?:service|agreement)|\bmsa\b/i, "MSA"],
  [/statement of work|\bsow\b/i, "SOW"],
  [/order form/i, "ORDER_FORM"],
  [/amendment|addendum/i, "AMENDMENT"],
  [/data processing|\bdpa\b/i, "DPA"],
  [/business associate|\bbaa\b/i, "BAA"],
  [/service level|\bsla\b/i, "SLA"],
  [/software as a service|\bsaas\b|subscription|hosting/i, "SAAS"],
  [/professional services|\bpsa\b/i, "PSA"],
  [/resell|distribut/i, "RESELLER"],
  [/licen[sc]/i, "LICENSE"],
  [/partner|alliance|joint venture|collaboration|co-?brand|affiliate|cooperation/i, "PARTNERSHIP"],
  [/pilot|evaluation|trial/i, "PILOT"],
  [/employment/i, "EMPLOYMENT"],
  [/consult|contractor/i, "CONTRACTOR"],
  [/\blease\b|tenancy|rental/i, "LEASE"],
  [/letter of intent|\bloi\b|memorandum of understanding/i, "LOI"],
];

export function typeOf(name: string): string {
  return kinds.find(([words]) => words.test(name))?.[1] ?? "OTHER";
}

const forms =
  "Inc Incorporated LLC L\\.L\\.C Ltd Limited Corp Corporation Company Co LP L\\.P LLP PLC Plc GmbH AG S\\.A SA B\\.V BV N\\.V N\\.A Pty SRL S\\.r\\.l SpA S\\.p\\.A Trust Association Partnership Bank University".split(
    " ",
  );
const legal = `(?:,? (?:${[...new Set([...forms, ...forms.map((form) => form.toUpperCase())])].join("|")}|plc|inc)\\b\\.?)`;
const word = "(?:[A-Z0-9][\\w.'&*/-]{0,80}|of|and|the|for|&|de|in)";
const party = new RegExp(`((?:${word},? ){0,8}?${word}${legal}{1,3})`, "g");

/** Names with a legal form in the preamble, in order: the parties. */
export function partiesOf({ flow, sentences }: ReadDocument): Named[] {
  const preamble = sentences.find(isPreamble);
  if (!preamble) return [];
  const opening = /\b(?:between|among|by and between|parties|by)\b:?/i.exec(preamble.text);
  const from = preamble.start + (opening ? opening.index + opening[0].length : 0);
  const text = flow.line.slice(from, Math.min(from + 1_400, flow.line.length));
  const found = [...text.matchAll(party)].flatMap((match): Named[] => {
    const name = match[1]!
      .replace(/^(?:(?:and|the|of|for|in|between|among|by|:|AND|BETWEEN|BY)[ :]+)+/i, "")
      .replace(/,$/, "")
      .replace(leftover, "")
      .replace(fullStop, "$1");
    const isForm = /\b(?:an?|each an?)\s$/i.test(
      text.slice(Math.max(0, match.index - 8), match.index + match[0].indexOf(name)),
    );
    if (
      isForm ||
      name.length < 4 ||
      name.length > 90 ||
      /^(?:a|an)\s|\b(?:delaware|organized|existing|laws|having)\b/i.test(name)
    )
      return [];
    const start = from + match.index + match[0].length - match[1]!.length + match[1]!.indexOf(name);
    return [{ name, start, end: start + name.length }];
  });
  const distinct = found.filter((one, at) => found.findIndex(({ name }) => same(name, one.name)) === at);
  return distinct.slice(0, 2);
}

/** The end of a preceding name whose beginning was cut off by a word in lower case. */
const leftover = new RegExp(`^(?:${forms.join("|")})\\.?,? and `, "i");
/** A sentence's full stop, after a legal form that is not an abbreviation. */
const fullStop = /((?:ed|ion|any|ship|ank|ust|ity|LLC|LLP|LP|PLC|GmbH|AG|SA|BV|Pty|SRL))\.$/i;

function same(a: string, b: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return plain(a) === plain(b);
}

function isPreamble({ text, start }: Sentence): boolean {
  return (
    start < 12_000 &&
    /\b(?:between|among)\b/i.test(text) &&
    /\b(?:agreement|contract|addendum|amendment|lease|license|deed|part(?:y|ies))\b/i.test(text)
  );
}
