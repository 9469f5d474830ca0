/**
 * What else someone has to do by a deadline: terminate for convenience, pay, allow an audit, insure, report, and
 * after the end.
 */
import { best } from "./agreement.ts";
import type { Sentence } from "./document.ts";
import { type Duration, durationsOf, type FoundDuration, numberOf } from "./durations.ts";

export type DutyKind = "convenience" | "payment" | "audit" | "insurance" | "reporting" | "afterEnd";

export interface Duty {
  kind: DutyKind;
  /** Null if the text sets no deadline. */
  length: Duration | null;
  recurrenceMonths: number | null;
  point: number;
  sentence: Sentence;
  score: number;
}

interface Rule {
  kind: DutyKind;
  /** A fast pre-check. */
  hint: RegExp;
  needs: RegExp[];
  not: RegExp;
  /** Which of the sentence's durations is meant. */
  time: RegExp | null;
  isTimed: boolean;
}

const person = "(?:either|any|each|the|both|a|such|other|[A-Z][\\w.-]{1,25})";

/** "net thirty (30) days", "net 30": counted from the invoice, which such terms need not mention. */
const net =
  "\\bnet[\\s-](?:in\\s)?\\(?(?:\\d{1,3}\\b(?![.,]\\d|\\s?%)|(?:ten|fifteen|twenty|thirty|forty|sixty|ninety)\\b)";

const rules: Rule[] = [
  {
    kind: "convenience",
    hint: /terminat|cancel/i,
    needs: [
      /\b(?:may|right to|entitled to|option to|can)\b[^.]{0,90}\b(?:terminat|cancel)\w{0,3}\b|\b(?:terminated|cancelled|canceled|terminable)\b[^.]{0,60}\bby\b/i,
      /\b(?:agreement|contract|lease|license|services|appointment|statement of work|engagement)\b/i,
      /\bfor convenience\b|\bwithout cause\b|\bwith or without cause\b|\bfor any (?:or no )?reason\b|\bany reason or no reason\b|\bwithout (?:any )?reason\b|\bat any time\b[^.]{0,80}\bnotice\b|\bno reason\b|\bat (?:its|their) (?:sole )?(?:discretion|convenience)\b|\bat will\b/i,
    ],
    not: /\b(?:breach|default|insolven\w{1,4}|bankrupt\w{0,4}|cure[sd]?|material\w{0,2}|in the event|if (?:the|either|any|such)|force majeure|change of control|not (?:be )?(?:terminat|cancel)\w{0,6}|(?:neither|nor|no) (?:\w+ ){1,3}?(?:may|shall|can|will|has|have)|no right|cannot|employment)\b/i,
    time: /notice|prior|advance|written/i,
    isTimed: false,
  },
  {
    kind: "payment",
    hint: /\bpa(?:y|id|yable|yment)|invoice/i,
    needs: [
      new RegExp(
        `\\b(?:shall|will|must|agrees? to|are|is|be)\\b[^.]{0,110}\\b(?:pay|paid|payable|due|payment)\\b|\\bpayments?\\b[^.]{0,60}\\b(?:made|effected|remitted)\\b|\\b(?:pay|paid|payable|due|payments?|terms)\\b[^.]{0,60}${net}`,
        "i",
      ),
      /\b(?:invoices?|fees?|payments?|amounts?|royalt(?:y|ies)|charges)\b/i,
      new RegExp(
        `\\b(?:after|of|from|following|upon)\\b[^.]{0,50}\\b(?:invoice|receipt|billing|statement|end of (?:each|every|the))\\b|${net}`,
        "i",
      ),
    ],
    not: /\b(?:dispute\w{0,2}|late|overdue|past due|interest|audit\w{0,3}|terminat\w{1,5}|refund\w{0,2}|breach|default|indemnif\w{1,8}|reimburs\w{1,6}|notice|insurance|bankrupt\w{0,4})\b/i,
    time: /after|of|from|following|receipt/i,
    isTimed: true,
  },
  {
    kind: "audit",
    hint: /audit|inspect|examin/i,
    needs: [
      /\b(?:books?|records?|accounts?|facilit(?:y|ies)|premises|compliance|statements)\b/i,
      new RegExp(
        `\\b(?:right|entitled|may|permit\\w{0,4}|allow\\w{0,3}|grant\\w{0,3})\\b[^.]{0,150}\\b(?:audit|inspect|examin)\\w{0,4}\\b|\\b${person} (?:may|shall have the right)[^.]{0,90}\\baudit\\w{0,2}\\b|\\bavailable for (?:audit|inspection|examination)\\b`,
      ),
    ],
    not: /\b(?:auditors' report|independent auditor\w{0,1} shall|financial statements have|SEC|GAAP|employee may|due diligence|product inspection|acceptance)\b/i,
    time: /notice|prior|advance|written/i,
    isTimed: false,
  },
  {
    kind: "insurance",
    hint: /insurance/i,
    needs: [
      /\b(?:shall|will|must|agrees? to|at its (?:own )?(?:sole )?(?:cost|expense)|responsible for)\b[^.]{0,130}\b(?:maintain|carry|obtain|procure|keep|provide|purchase)\w{0,3}\b/i,
      /\b(?:liability|commercial general|coverage|workers?'? compensation|insurance polic|policies of insurance|insurance in|certificate)\b/i,
    ],
    not: /\b(?:if|title insurance|life insurance|health insurance|deposit insurance|employee benefits?)\b/,
    time: null,
    isTimed: false,
  },
  {
    kind: "reporting",
    hint: /report|statement/i,
    needs: [
      /\b(?:shall|will|must|agrees? to)\b[^.]{0,90}\b(?:provide|deliver|submit|furnish|send|issue|prepare)\w{0,2}\b[^.]{0,110}\b(?:reports?|statements?)\b/i,
      /\b(?:quarter(?:ly)?|month(?:ly)?|annual(?:ly)?|each year|each calendar|semi-?annual(?:ly)?|weekly)\b/i,
      /\b(?:within|no later than|not later than|on or before|by)\b/i,
    ],
    not: /\b(?:if|upon request|financial statements|tax|SEC|Commission|breach|default|audit\w{0,3})\b/,
    time: /after|of|following|from/i,
    isTimed: true,
  },
  {
    kind: "afterEnd",
    hint: /terminat|expir/i,
    needs: [
      /\b(?:upon|after|following|within|for|in the event of)\b[^.]{0,60}\b(?:terminat|expir)\w{1,5} (?:or (?:termination|expiration) )?(?:date )?(?:of|this|the|hereof)\b[^.]{0,25}\b(?:agreement|term|contract|license)\b/i,
      /\b(?:sell[ -]?off|sell (?:off|the remaining|its remaining|any remaining|all remaining)|(?:remaining|existing) (?:inventory|stock|product)|inventory|transition (?:assistance|services|period|plan)|wind[ -]?down|continue to (?:provide|use|sell|honor|supply|perform)|last[ -](?:time )?buy)/i,
    ],
    not: /\b(?:surviv\w{1,4}|confidential\w{0,5}|solicit|compete|employ\w{0,5}|notice of termination|may terminate|no (?:responsibility|obligation))\b/i,
    time: /after|following|of|from|period/i,
    isTimed: false,
  },
];

const recurrences: [RegExp, number][] = [
  [/\b(?:quarter(?:ly)?|each calendar quarter)\b/i, 3],
  [/\bmonth(?:ly)?\b/i, 1],
  [/\bsemi-?annual(?:ly)?\b/i, 6],
  [/\b(?:annual(?:ly)?|each year|every year|per year|year)\b/i, 12],
];

/** The clearest sentence of each kind. */
export function dutiesOf(sentences: Sentence[]): Duty[] {
  return rules.flatMap((rule) => {
    const found = sentences.flatMap((sentence) => dutyIn(rule, sentence));
    return best(found) ?? [];
  });
}

function dutyIn({ kind, hint, needs, not, time, isTimed }: Rule, sentence: Sentence): Duty[] {
  const { text, start } = sentence;
  if (text.length > 1_200 || !hint.test(text)) return [];
  if (!needs.every((one) => one.test(text))) return [];
  const isDoubtful = not.test(text);
  if (isDoubtful && kind !== "audit" && kind !== "insurance") return [];
  const length =
    (kind === "payment" ? netTimeIn(text) : null) ??
    (time && timeIn(text, time, kind === "payment" ? isOfOtherAct : undefined));
  if (isTimed && !length) return [];
  const recurrence = kind === "reporting" ? recurrences.find(([words]) => words.test(text)) : undefined;
  const score = 10 - text.length / 300 + (length ? 2 : 0) - (isDoubtful ? 3 : 0);
  const point = start + Math.max(0, text.search(hint));
  return [{ kind, length, recurrenceMonths: recurrence?.[1] ?? null, point, sentence, score }];
}

function timeIn(
  text: string,
  words: RegExp,
  isOf = (_: string, __: FoundDuration) => false,
): Duration | null {
  const near = (one: FoundDuration) => words.test(text.slice(one.end, one.end + 32));
  const found = durationsOf(text).find((one) => near(one) && !isOf(text, one));
  return found ? { value: found.value, unit: found.unit } : null;
}

/** "Shall issue an invoice within ten days": a deadline for something other than payment. */
const otherAct =
  /\b(?:shall|will|must|may|agrees? to|undertakes? to|is to)\s(?:\w{2,12}ly\s|also\s|not\s)?(?:invoice|bill|issue|submit|send|deliver|render|provide|prepare|furnish|notify|object|inspect|accept|reject|ship|report|return|review|approve|confirm)\b/gi;

function isOfOtherAct(text: string, { start }: FoundDuration): boolean {
  const clause = text.slice(text.lastIndexOf(";", start) + 1, start);
  const act = [...clause.matchAll(otherAct)].at(-1);
  return act !== undefined && !/\b(?:pay|paid|payable|due|payments?|remit)\b/i.test(clause.slice(act.index));
}

const netTerms = new RegExp(net, "i");

/** If the unit is left out, days are meant. */
function netTimeIn(text: string): Duration | null {
  const at = netTerms.exec(text)?.index;
  if (at === undefined) return null;
  const written = text.slice(at, at + 50).replace(/^net[\s-](?:in\s)?/i, "");
  const [found] = durationsOf(written);
  if (found?.start === 0) return { value: found.value, unit: found.unit };
  const days = numberOf(/^[\w-]{1,12}/.exec(written.replace(/^\(/, ""))?.[0] ?? "");
  return days ? { value: days, unit: "DAY" } : null;
}
