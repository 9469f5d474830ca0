/** Whether and for how long an agreement renews, and by when someone must give notice of non-renewal. */
import { best } from "./agreement.ts";
import { renewsAutomatically } from "./automatic.ts";
import type { Sentence } from "./document.ts";
import { type Duration, durationsOf, type FoundDuration } from "./durations.ts";
import { lastToAct } from "./last-to-act.ts";
import type { Term } from "./term.ts";

export interface Renewal {
  length: Duration;
  /** Without anyone's action; otherwise one or both parties must act. */
  isAutomatic: boolean;
  /** Again and again, until someone ends it. */
  isSuccessive: boolean;
  point: number;
  sentence: Sentence;
  score: number;
}

export interface Notice {
  length: Duration;
  point: number;
  sentence: Sentence;
  score: number;
}

const renewWord = "(?:renew(?:s|ed|al|als|able|ing)?|extend(?:s|ed|ing)?|extensions?|prolong(?:s|ed)?)";
const renews = new RegExp(
  `\\b${renewWord}\\b|\\b(?:year|month) to (?:year|month)\\b|\\b(?:year|month)-to-(?:year|month)\\b|\\bsuccessive (?:annual|one|1)`,
  "i",
);
const optional =
  /\b(?:option|right|elect(?:s|ion)?|request)\b[^.;]{0,40}\b(?:to (?:further )?(?:renew|extend)|of renewal)|\bmay (?:be )?(?:further )?(?:renew|extend)(?:ed)?\b|\brenewable\b|\b(?:can|could) (?:be )?(?:renew|extend)(?:ed)?\b|\bmay\b[^.;]{0,50}\b(?:renew|extend)\b|\b(?:mutual(?:ly)?|written) (?:written )?(?:agree\w{0,4}|consent)\b/i;
const theAgreement =
  /\b(?:this|the|such|present|said|initial|current|its|maintenance|services?|any) ["']?(?:[\w-]{1,20} ){0,4}?(?:agreement|contract|term|terms|lease|license|franchise|period|amendment|addendum|arrangement|engagement|appointment|jsma|venture|subscription)\b/i;
/** Things other than the agreement that are renewed or extended. */
const otherThings =
  /\b(?:insurance|polic(?:y|ies)|patent|letters? of credit|domain|registration|certificate|deadline|time for|due date|cure|credit|warrant(?:y|ies)|option period|exclusivity|delivery date|invoice|payment|leases? term|study period|permit|completion date|force majeure|closing|review|confidential\w{0,8}|obligations?|impressions|launch|statute|limitation|increase)\b/gi;

export function renewalOf(sentences: Sentence[], term: Term | null): Renewal | null {
  const found = sentences.flatMap((sentence) =>
    renews.test(sentence.text) ? renewalsIn(sentence, term) : [],
  );
  return best(found.filter(({ score }) => score >= leastRenewal));
}

const leastRenewal = 7;

function renewalsIn(sentence: Sentence, term: Term | null): Renewal[] {
  const { text } = sentence;
  const isAutomatic = renewsAutomatically(text);
  const score = scoreOf(sentence, isAutomatic);
  const lengths = [...lengthsOf(text, isAutomatic || optional.test(text)), ...spoken(text, term)];
  return lengths.map(({ value, unit, start, bonus, isSuccessive }) => ({
    length: { value, unit },
    ...{ isAutomatic, isSuccessive, sentence },
    point: sentence.start + start,
    score: score + bonus,
  }));
}

function scoreOf({ text }: Sentence, isAutomatic: boolean): number {
  const at = renews.exec(text)!.index;
  const near = text.slice(Math.max(0, at - 150), at + 110);
  let score = 0;
  if (isAutomatic) score += 4;
  else if (optional.test(text)) score += 2;
  if (theAgreement.test(text.slice(Math.max(0, at - 190), at + 60))) score += 2;
  if (/\b(?:initial|renewal|current|extension) (?:term|period)/i.test(text)) score += 1;
  if (/\bterm of this\b|\bthis agreement\b|\bthe term\b/i.test(near)) score += 1;
  if (!agreementLike.test(text)) score -= 3;
  return score - Math.min(6, 2 * [...near.matchAll(otherThings)].length);
}

/** What can renew at all: words for the agreement, or for what takes its place in the sentence. */
const agreementLike =
  /\b(?:agreements?|contracts?|terms?|leases?|licen[cs]es?|amendments?|addendum|it|subscriptions?|engagement|appointment|franchise|periods?|orders?|venture|arrangement|maintenance|services?|thereafter)\b/i;
/** Something other than the agreement renews: a letter of credit, a policy. */
function isOfOther(text: string): boolean {
  const at = text.search(renews);
  const before = text.slice(Math.max(0, at - 110), at);
  return before.search(otherThings) >= 0 && !theAgreement.test(before);
}

interface Length extends FoundDuration {
  bonus: number;
  isSuccessive: boolean;
}

const successive =
  /\b(?:successive|consecutive|subsequent|additional|further|like|each|any|every|periods|terms|increments)\b/i;

/** The durations after the renewal wording, up to where exceptions begin. */
function lengthsOf(text: string, isStated: boolean): Length[] {
  return durationsOf(text).flatMap((one): Length[] => {
    if (isNoPeriod(one)) return [];
    const before = text.slice(Math.max(0, one.start - 260), one.start);
    const behind = text.slice(one.end, one.end + 60);
    const word = [...before.matchAll(leading)].at(-1);
    const between = word ? before.slice(word.index) : "";
    if (isNotice(before, behind)) return [];
    const isNamed =
      /^[\s-]{0,2}(?:renewal|extension|successive|additional)\b/i.test(behind) ||
      /\brenewals?\b[^,;]{0,40}$/i.test(before);
    const isBehind =
      word !== undefined &&
      !/\bunless\b|\buntil\b|\bcontinue in effect for\b|\bearlier\b|\bprovided\b|\bnotice\b|\bexpiration of\b|;/i.test(
        between,
      );
    if (!isBehind && !isNamed) return [];
    if (!isBehind && !isStated) return [];
    if (/\binitial\b[^,;]{0,30}$/i.test(before.slice(-45)) || /^[^,;]{0,12}\binitial\b/i.test(behind))
      return [];
    const near = before.slice(-60) + behind.slice(0, 40);
    const isPeriod =
      /^[\s,-]{0,3}(?:\([^)]{1,12}\)\s?)?(?:each|terms?|periods?|increments?|basis|renewal|extension|thereafter|after)/i.test(
        behind,
      );
    const bonus = (successive.test(near) ? 2 : 0) + (isPeriod ? 1 : 0) + (between.length < 90 ? 1 : 0);
    return [{ ...one, bonus, isSuccessive: successive.test(near) }];
  });
}

const leading = new RegExp(`\\b(?:${renewWord}|thereafter|additional)\\b`, "gi");

function isNoPeriod({ value, unit }: Duration): boolean {
  return unit === "BUSINESS_DAY" || (unit === "DAY" && value < 28) || (unit === "YEAR" && value > 50);
}

function isNotice(before: string, behind: string): boolean {
  return (
    /^['\s,]{0,3}(?:\([^)]{1,12}\)\s?)?(?:calendar |business )?(?:prior|advance|before|in advance|written|notice|preceding|from the (?:date|receipt)|of (?:receipt|the end|license|the conclusion))/i.test(
      behind,
    ) ||
    /\b(?:at least|not less than|no less than|no later than|less than|within|upon|minimum of|more than|not later than|beginning|earlier than|a minimum)\s(?:the )?(?:period of )?$/i.test(
      before,
    ) ||
    /\b(?:first|last|initial|notice|beyond) $/i.test(before)
  );
}

/** When no duration is written: "from year to year", "annually", "terms of the same duration". */
function spoken(text: string, term: Term | null): Length[] {
  const forms: [RegExp, Duration | null][] = [
    [
      /\b(?:from )?year[ -]to[ -]year\b|\bon an? (?:annual|yearly) basis\b|\bsuccessive annual\b|\bannual (?:renewal|extension|successive)|\brenew\w{0,3} (?:automatically )?(?:annually|yearly|each year|every year|tacitly every year)|\bautomatically renew\w{0,3} (?:annually|each year|every year)|\bsuccessive years?\b/i,
      { value: 1, unit: "YEAR" },
    ],
    [
      /\b(?:from )?month[ -]to[ -]month\b|\bmonthly basis\b|\bsuccessive months?\b/i,
      { value: 1, unit: "MONTH" },
    ],
    [
      /\b(?:of|for) (?:the same|equal|like|similar|identical|an equal) (?:duration|length|period|term)s?\b|\bsuccessive (?:like )?(?:terms|periods) (?:of|equal)\b[^.;]{0,30}\b(?:same|initial)\b|\brenew automatically (?:under|on|upon) (?:these|the) same\b/i,
      term?.length ?? null,
    ],
  ];
  return forms.flatMap(([form, length]): Length[] => {
    const match = length && form.exec(text);
    if (!match) return [];
    return [
      { ...length, start: match.index, end: match.index + match[0].length, bonus: 2, isSuccessive: true },
    ];
  });
}

const continues =
  /\b(?:thereafter|automatically)\b[^.;]{0,90}\b(?:continue|effective|remain)\b[^.;]{0,90}\b(?:until|unless)\b|\bcontinue\b[^.;]{0,60}\bthereafter (?:until|unless)\b/i;
const atItsEnd =
  /\b(?:at|as of|before|on|upon|effective) (?:at |on |as of )?the (?:end|expiration|expiry|expiration date|expiry date) of (?:the|its|this|any|each) (?:[\w-]{1,15} ){0,4}(?:term|agreement|renewals?|period)\b/i;
const ending =
  /\b(?:not (?:to )?(?:be )?(?:renew|extend)\w{0,3}|non-?\s?renew\w{0,3}|no renewal|intent\w{0,4}|desire|terminat\w{1,5}|cancel\w{0,8}|elect\w{0,4}|notif\w{1,8}|notice|object\w{0,4}|written|writing)\b/i;

/** The notice that prevents an agreement from renewing automatically. */
export function noticeOf(sentences: Sentence[], renewal: Renewal | null): Notice | null {
  const found = sentences.flatMap((sentence, at) => {
    const { text } = sentence;
    if (!/\b(?:noti|writing|cancel|terminat|written)/i.test(text)) return [];
    const before = sentences[at - 1]?.text ?? "";
    const isRenewal =
      (renews.test(text) && renewsAutomatically(text) && !isOfOther(text)) || continues.test(text);
    const follows = renews.test(before) && renewsAutomatically(before) && !isOfOther(before);
    const isNonRenewal = /\bnon-?\s?renew\w{0,3}\b|\bnot (?:to )?(?:be )?renew\w{0,3}\b/i.test(text);
    const endsTerm = atItsEnd.test(text) && /\b(?:terminat|cancel)/i.test(text);
    const base =
      (isRenewal ? 5 : 0) +
      (follows ? 2 : 0) +
      (isNonRenewal ? 3 : 0) +
      (endsTerm ? 3 : 0) +
      (sentence === renewal?.sentence ? 2 : 0);
    if (base < 2 || (optional.test(text) && !isRenewal && !isNonRenewal)) return [];
    return noticesIn(sentence, endsTerm ? base + 3 : base);
  });
  return best(found.filter(({ score }) => score >= leastNotice));
}

const leastNotice = 6;

function noticesIn(sentence: Sentence, base: number): Notice[] {
  const { text } = sentence;
  return durationsOf(text).flatMap((one): Notice[] => {
    const before = text.slice(Math.max(0, one.start - 190), one.start);
    const behind = text.slice(one.end, one.end + 110);
    const isPrior =
      /^['\s,]{0,3}(?:\([^)]{1,12}\)\s?)?(?:calendar |business )?(?:prior|advance|before|in advance|preceding|of the (?:end|conclusion|expir))/i.test(
        behind,
      );
    const isWritten = /^['\s,]{0,3}(?:prior |advance |written |an? )*(?:notice|notification)/i.test(behind);
    if (!isPrior && !isWritten) return [];
    const length = lastToAct(before, one);
    if (!length) return [];
    if (!ending.test(before) && !ending.test(behind)) return [];
    if (/\b(?:insur\w{1,6}|polic(?:y|ies)|deficienc\w{1,4})\b/i.test(text) || /notice period/i.test(behind))
      return [];
    let score = base;
    if (/^\W{0,3}(?:such|the|this|any|written)\b[^.]{0,25}\bnotice\b/i.test(text)) score += 2;
    if (isPrior) score += 1;
    if (
      /\b(?:end|expir\w{1,6}|renewal|anniversary|conclusion|commencement)\b[^.]{0,70}\b(?:term|period|date|renewal|thereof|agreement|year|anniversary)?/i.test(
        behind,
      )
    )
      score += 3;
    if (/\b(?:unless|until)\b[^.]{0,190}$/i.test(before)) score += 2;
    if (
      /\b(?:increase|fee|price|breach|default|cure|convenience|for any reason|without cause|at any time)\b/i.test(
        before.slice(-120) + behind,
      )
    )
      score -= 4;
    return [{ length, point: sentence.start + one.start, sentence, score }];
  });
}
