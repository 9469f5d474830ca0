/** The date of an agreement, and its effective date. */
import { datesOf, type FoundDate } from "./dates.ts";
import type { Sentence } from "./document.ts";

export interface DatedPhrase {
  date: string;
  /** Position in the line. */
  point: number;
  sentence: Sentence;
  /** The date is the agreement's date, which is given elsewhere. */
  via?: DatedPhrase;
  score: number;
}

const dated =
  /\b(?:dated|made|entered into|executed|signed|concluded|agreement date|date of (?:this )?agreement|as of|day of|this|on|date)\b[^.]{0,60}$/i;
/** A document other than this one: the one being amended, or one referred to. */
const foreign =
  /\b(?:agreements?|contracts?|letter|lease|plan|order|sale|deed|proposal|amendment)["')]{0,2}(?: [\w.#-]{1,12}){0,3}?[,\s(]{1,3}(?:dated|made|entered into|executed|effective)\b[^.]{0,50}$/i;
const itself = /\b(?:this|the present)\b(?! (?:second|first|third)? ?amendment\b[^.]{0,20}\bto)[^.]{0,90}$/i;
const elsewhere =
  /\b(?:source|filed|expir\w{1,4}|until|terminat\w{1,5}|commenc\w{1,5}|begin\w{0,4}|than|letter|scheduled)\b[^.]{0,70}$/i;
const preamble =
  /\bthis (?:[\w-]{1,20} ){0,5}?(?:agreement|contract|amendment|lease|license|addendum|deed)\b[^.]{0,60}\b(?:made|entered into|dated|executed|concluded|effective)\b/i;
const leastDated = 2.5;
const instrument =
  /\b(?:agreement|contract|amendment|addendum|lease|license|statement of work|order|memorandum|deed|confirmation)\b/i;

/** The date in the preamble, on the cover, or else above or below the signatures. */
export function agreementDateOf(sentences: Sentence[], length: number): DatedPhrase | null {
  const found: DatedPhrase[] = [];
  for (const sentence of sentences) {
    const isEarly = sentence.start < 9_000;
    const isWitness =
      /\bwitness whereof|duly executed|executed (?:as of|this|on|in)\b|\bdone and signed|\bsigned and|^\s?dated:?\s/i.test(
        sentence.text,
      );
    if (!isEarly && !isWitness) continue;
    for (const one of datesOf(sentence.text, sentence.isDayFirst)) {
      const before = sentence.text.slice(Math.max(0, one.start - 500), one.start);
      const score = scoreOfDated(before, sentence, isEarly);
      if (score >= leastDated)
        found.push({ date: one.date, point: sentence.start + one.start, sentence, score });
    }
  }
  return best(found) ?? signatureDateOf(sentences, length);
}

function scoreOfDated(before: string, sentence: Sentence, isEarly: boolean): number {
  const near = before.slice(-90);
  const isCover = sentence.start + sentence.text.indexOf(before) < 600;
  let score = -3;
  const isPreamble = isEarly && preamble.test(before) && !foreign.test(near);
  if (dated.test(near)) score += 3;
  if (/\b(?:made|entered into|dated|executed|signed)\b[^.]{0,70}$/i.test(near)) score += 3;
  if (instrument.test(before.slice(-220)) || isPreamble) score += 2;
  if (itself.test(near) || isPreamble) score += 2;
  else if (!isCover && foreign.test(near)) score -= 6;
  if (elsewhere.test(near) && !/\b(?:made|entered into|dated)\b[^.]{0,30}$/i.test(near)) score -= 5;
  if (/effective\s*(?:date)?[\s:"')]*(?:as of|on|from)?[\s:]*(?:the )?$/i.test(near)) score -= 3;
  if (isEarly) score += 2 - (4 * sentence.start) / 9_000;
  return score;
}

const signed = /\b(?:date|dated|date signed|signature date)[\s:_)]{1,6}$/i;

/** The last of the dates next to the signatures. */
export function signatureDateOf(sentences: Sentence[], length: number): DatedPhrase | null {
  const found: DatedPhrase[] = [];
  for (const sentence of sentences) {
    if (sentence.start < length * 0.3 || !/\bdated?\b/i.test(sentence.text)) continue;
    for (const one of datesOf(sentence.text, sentence.isDayFirst)) {
      const before = sentence.text.slice(Math.max(0, one.start - 30), one.start);
      if (!signed.test(before)) continue;
      found.push({ date: one.date, point: sentence.start + one.start, sentence, score: 0 });
    }
  }
  return found.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0] ?? null;
}

export function best<One extends { score: number; point: number }>(found: One[]): One | null {
  return found.toSorted((a, b) => b.score - a.score || a.point - b.point)[0] ?? null;
}

/** Phrases that name the day itself, in brackets after a date or before one. */
const named =
  "(?:the |this |an? )?[\"']?\\s?(?:[A-Za-z]+ ){0,3}(?:effective|commencement|start)\\s?(?:date)?\\s?[\"']?";
const namedBehind = new RegExp(
  `^[\\s,."')\\]]{0,4}(?:\\d{4}[\\s,]{0,2})?[^.;()\\d]{0,40}[([]\\s?(?:hereinafter[^"')]{0,30}|herein[^"')]{0,20}|called |being )?${named}`,
  "i",
);
const namedWithoutBrackets =
  /^[\s,"')]{0,4}(?:\((?:the )?)?(?:hereinafter (?:called|referred to as|the)|herein called) (?:the )?["']?effective date/i;
const effectiveBefore =
  /\b(?:effective(?: date)?|commenc\w{1,5}|take(?:s)? effect|(?:com(?:e|es|ing)|enter(?:s|ing)?) into (?:force|effect|operation)|begin\w{0,4}|starts?|valid|in force)(?:["'\s,:(]{1,4}(?:is|are|be|shall|will|be|mean|means|hereof|of|the|this|that|agreement|contract|amendment|franchise|date|as|on|upon|from|at|with|day|effect|and|day of|retroactively|immediately|in all respects|dated|for the|hosted|site|joint|venture)){0,9}["'\s:,(]{1,4}$/i;

const ownDate =
  /(?:date (?:hereof|first (?:above )?(?:set forth |written |stated |mentioned |indicated )?(?:above|herein|written)?|above(?: written| first written)?|of (?:this|the) (?:agreement|contract|amendment|document|letter agreement)|of its date of signature|of (?:its|the|their) (?:execution|signature|signing))|first (?:date|day)(?: and year)? (?:first )?(?:above )?written|day and year (?:first )?(?:above )?(?:written|first)|first date above|date of the agreement|execution date|upon (?:its )?execution|upon (?:the )?signature|date (?:on which )?it is executed|date above)/i;

/** What the text says about the agreement's effective date; null if nothing, or if the day is not known yet. */
export function effectiveDateOf(
  sentences: Sentence[],
  agreement: DatedPhrase | null,
  length: number,
): DatedPhrase | null {
  const found: DatedPhrase[] = [];
  const signature = signatureDateOf(sentences, length);
  for (const sentence of sentences) {
    const { text } = sentence;
    if (!/effective|commenc|begin|start|force|effect|valid|hereof|first|venture/i.test(text)) continue;
    for (const one of datesOf(text, sentence.isDayFirst)) {
      const score = scoreOfEffective(text, one, sentence, length);
      if (score >= leastEffective)
        found.push({ date: one.date, point: sentence.start + one.start, sentence, score });
    }
    found.push(...referring(sentence, agreement, signature));
  }
  return best(found);
}

const ownSubject =
  /\b(?:(?:this|the present|said)\b[^.]{0,110}\b(?:agreement|contract|amendment|addendum|venture|appointment|promotion|exhibit|confirmation)|(?:the|initial) (?:"?term"?|duration|(?:joint )?venture|(?:agreement|contract) (?=(?:shall|will|is|becomes|comes|enters|takes|commences|begins)\b))|it)\b[^.]{0,110}$/i;

/** An agreement, or a label of its own: the date of anything else, such as a merger, says nothing here. */
const spokenOf = new RegExp(
  `${instrument.source}|\\b(?:effective|commencement|start) date\\b|\\bterms (?:and conditions|of (?:use|service))\\b|\\b(?:the|initial|effective|contract) term\\b|\\b(?:appointment|engagement|venture|subscription)\\b`,
  "i",
);
const isSpokenOf = (text: string, { start, end }: FoundDate) =>
  spokenOf.test(text.slice(0, start)) ||
  /\bby and (?:between|among)\b|\benters? into\b/i.test(text.slice(end, end + 160));
const otherPaper =
  /(?<!\b(?:this|present|said|term)\b[^.]{0,40})\b(?:employee|employment|lease|plan|act|rule|regulation|policy|law|incoterm|standard)s?\b[^.]{0,40}$/i;
/** The subject is not the agreement, but what someone does, gives or gets under it. */
export const doneUnderIt =
  /(?<!\b(?:term|duration|period|appointment|engagement)\b[^.;]{0,40})\b(?:under|pursuant to|in accordance with|contemplated by|set forth in|required by) (?:the terms of )?(?:this|the) (?:[\w-]+ ){0,3}?(?:agreement|contract|lease)\b[^.;,]{0,40}$/i;
/** Other things that begin: prices, payments, what is done under the agreement, and an earlier agreement. */
const otherSubject = new RegExp(
  [
    "\\b(?:prices?|pric(?:e list|ing)|rates?|fees?|charges|rents?|wages?|salar(?:y|ies)|payments?|instal?lments?|deliver(?:y|ies)|shipments?|production|construction|mergers?|phase|milestones?|polic(?:y|ies)|insurance|coverage|certificates?|interest|incorporated|copyright|increases?|audits?|reports?)\\b(?<!\\bterm\\b[^.;]{0,60})(?![^.;]{0,90}\\b(?:agreement|contract|amendment|addendum|lease|licen[cs]e|order|deed|terms?|statement of work)\\b)[^.;]{0,90}$",
    doneUnderIt.source,
    "\\b(?:the|that|an?|certain) (?:[\\w-]+ ){0,4}?agreements?\\b,? (?:with|having|bearing) an effective date of $",
    "\\b(?:amendment|addendum|exhibit|schedule|supplement|order|statement of work)\\b[^.;]{0,40}\\b(?:to|under|of) (?:the|that|an?) (?:[\\w-]+ ){0,5}?(?:agreement|contract|lease)\\b,? (?:dated |made )?(?:and )?effective (?:as of |on )?(?:the )?$",
    "\\b(?:supersed|replac|cancel|terminat)(?:e|es|ed|ing|s|led|ling)\\b[^.;]{0,60}\\b(?:agreements?|contracts?|lease|licen[cs]e)\\b(?!,? (?:and|which|it) (?:is|shall|will)\\b)[^.;]{0,40}$",
  ].join("|"),
  "i",
);

/** "Effective January 1, 2025, Section 4 is deleted": the date is of a change, not of the whole agreement. */
function isOfPart(text: string, { start, end }: FoundDate): boolean {
  const begins =
    /^\W{0,4}(?:[\divxa-z.]{1,6}[.)]\s)?(?:effective|commencing|beginning|starting)\s(?:as of |on |from )?(?:the )?$/i;
  const ofAll =
    /^,?\s(?:this\b|the parties\b|by and\b|between\b|[^.;]{0,120}\b(?:enters? into|hereby agrees?)\b)/i;
  return begins.test(text.slice(0, start)) && /^,\s/.test(text.slice(end)) && !ofAll.test(text.slice(end));
}

const signedAndEffective =
  /\b(?:signed|executed|made|entered into|dated),? and (?:made )?effective(?: as of| on)?(?: this| the)? $/i;

function scoreOfEffective(text: string, one: FoundDate, sentence: Sentence, length: number): number {
  const before = text.slice(Math.max(0, one.start - 130), one.start);
  const behind = text.slice(one.end, one.end + 140);
  const isEarly = sentence.start < 9_000;
  let score = 0;
  if (namedBehind.test(behind) || namedWithoutBrackets.test(behind)) score = isEarly ? 12 : 9;
  if (
    /["']\s?(?:effective|commencement) date["'\s]{0,3}(?:of this agreement )?["']?(?:means|shall mean|is|shall be|:)[^.;]{0,25}$/i.test(
      before,
    )
  )
    score = Math.max(score, 10);
  if (
    /\beffective date[\s"':|]{1,4}(?:(?:of|for) (?:this|the) [\w ]{1,30}(?:\([^()]{1,60}\)\s?)?)?\s?(?:is|means|shall mean|shall be|will be|:|-)?[\s(]{0,3}(?:the )?$/i.test(
      before,
    )
  )
    score = Math.max(score, 9);
  const isForeign = foreign.test(before.slice(-90));
  if (signedAndEffective.test(before) && (!isForeign || itself.test(before.slice(-90))))
    score = Math.max(score, 9);
  if (effectiveBefore.test(before) && !otherSubject.test(before) && !isOfPart(text, one)) {
    const isOwn = ownSubject.test(text.slice(Math.max(0, one.start - 200), one.start));
    const isPreamble = sentence.start + one.start < 3_000 && !isForeign && isSpokenOf(text, one);
    score = Math.max(score, isOwn ? 7 : isPreamble ? 6 : 3);
  }
  if (
    /\bcontract start[\s:]{1,3}$|\bfrom[\s:]{1,3}$/i.test(before.slice(-20)) &&
    /^\s?(?:to|through|until|-)\s/i.test(behind)
  )
    score = Math.max(score, /\bterm\b/i.test(before) ? 6 : 0);
  if (score === 0) return 0;
  if (isEarly) score += 1;
  if (sentence.start > 0.6 * length && !/\b(?:this|it shall be)\b/i.test(before)) score -= 4;
  if (
    /\b(?:original|certain|that|amended by|prior|previous)\b[^.]{0,80}$/i.test(before) &&
    !/\bthis\b[^.]{0,60}$/i.test(before)
  )
    score -= 5;
  if (otherPaper.test(before)) score -= 5;
  return score;
}

const refers = new RegExp(
  `(?:effective(?! date)|effective date["']?\\s(?:means|shall mean|is|shall be)|commenc\\w{1,5}|begin\\w{0,4}|come into force|take effect|enter into force)(?:["'\\s,:]{1,4}[\\w"']{1,12}){0,9}?[\\s"',]{1,3}(?:as of |from |on |upon |with )?(?:the )?${ownDate.source}`,
  "i",
);

const leastEffective = 6;

const lastSigned =
  /\beffective\b[^.]{0,90}\b(?:(?:later|latest|last) of the (?:two )?(?:signature dates|dates)|(?:date of|date of the) (?:last|later|latest|signed|final) (?:sign|acceptance|execution)\w{0,6}|date (?:that |on which )?the last party\b[^.]{0,30}\b(?:sign|execut)\w{0,5}|upon the (?:completion of the execution|signatures?)\b)/i;

function referring(
  sentence: Sentence,
  agreement: DatedPhrase | null,
  signature: DatedPhrase | null,
): DatedPhrase[] {
  const { text, start } = sentence;
  const last = signature && lastSigned.exec(text);
  if (last) return [{ point: start + last.index, sentence, via: signature, date: signature.date, score: 6 }];
  const match = agreement && refers.exec(text);
  if (!match) return [];
  if (/\b(?:later|earlier|latest|earliest|last) of\b|last (?:date )?(?:of )?sign/i.test(match[0])) return [];
  const before = text.slice(Math.max(0, match.index - 150), match.index + match[0].length);
  const isOwn =
    /\b(?:this|the present)\b[^.]{0,90}\b(?:agreement|contract|amendment)\b|\bterm\b|effective date/i.test(
      before,
    ) && !/\b(?:period|standstill|license|survive|royalt)\w{0,4}\b/i.test(before);
  if (!isOwn) return [];
  return [{ point: start + match.index, sentence, via: agreement, date: agreement.date, score: 6 }];
}
