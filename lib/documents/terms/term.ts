/** How long an agreement runs: until a given day, or for a duration from a known day. */
import { best, type DatedPhrase, signatureDateOf } from "./agreement.ts";
import { lastDayOf } from "./calendar.ts";
import { datesOf, type FoundDate } from "./dates.ts";
import type { Sentence } from "./document.ts";
import { type Duration, durationsOf, type FoundDuration, ordinalOf, ordinalWords } from "./durations.ts";
import { endsLabelled, lengthsLabelled } from "./term-labels.ts";
import { penalty, scoreOf } from "./term-score.ts";

export interface Term {
  /** The last day; null if the day from which the term counts is unknown. */
  end: string | null;
  /** Null if the text gives the day itself. */
  length: Duration | null;
  from: From;
  point: number;
  sentence: Sentence;
  score: number;
}

/** The day from which a duration counts; null if the text does not give it, as for a launch. */
type From = { date: string | null; via: DatedPhrase | null; isOwn: boolean } | null;

interface Known {
  effective: DatedPhrase | null;
  agreement: DatedPhrase | null;
  isDayFirst: boolean;
}

const subject =
  /\b(?:(?:this|the present|the|said)\s(?:[\w-]{1,20}\s){0,4}?(?:agreement|contract|amendment|addendum|lease|confirmation|venture|franchise|promotion|license|jsma|appointment|engagement|arrangement|exhibit|document)|(?:contract|effective|cooperation|initial) (?:term|period)|terms? (?:of|:)|(?:the|its|initial|primary|effective|contract|cooperation|original) ["']?(?:term|period|duration)|term|it)\b/i;
const running =
  /\b(?:commenc\w{1,5}|begin\w{0,5}|starts?|continu\w{1,5}|remain|in (?:full )?force|in effect|come into|concluded|take effect|valid|expir\w{1,6}|terminat\w{1,4}|ends?|ending|duration|effective|(?:initial|primary) term|term (?:of|shall|is|will|for)|\bterm["']?\)?|runs?|mean|means|from)\b|\bterm:/i;
const untilWords =
  "(?:until|till|through|thru|to and including|up to and including|to|expir(?:e|es|ing|ation|y)(?: date)?|terminat(?:e|es|ing|ion)(?: date)?|end(?:s|ing|ed)?|conclud(?:e|es|ing)|contract end|no later than|later than)";
const untilDate = new RegExp(
  `\\b${untilWords}["'):,\\s]{1,4}(?:(?:on|as of|at|the|close of business|midnight|and including|no later than|of|is|means|shall mean|shall be|earlier of|later of|earliest of|automatically|date|11:59|12:00|[ap]\\.?m\\.?|end of|last day of|day|or about|it|that|and|last|\\([ia1]\\))[\\s:,]{1,2}){0,8}$`,
  "i",
);
/** The best statement of the term; null if there is none, or if it runs forever. */
export function termOf(sentences: Sentence[], known: Known, length: number): Term | null {
  const found: Term[] = [];
  const signature = signatureDateOf(sentences, length);
  for (const sentence of sentences) {
    for (const term of labelled(sentence, known)) {
      const score = scoreOfLabel - penalty(sentence, term.point - sentence.start);
      if (score >= leastScore) found.push({ ...term, score });
    }
    if (!subject.test(sentence.text) || !running.test(sentence.text)) continue;
    const base = scoreOf(sentence);
    for (const term of [
      ...untilDays(sentence),
      ...lengths(sentence, known, signature),
      ...anniversaries(sentence, known),
    ]) {
      const score = term.score + base - penalty(sentence, term.point - sentence.start);
      if (score >= leastScore) found.push({ ...term, score });
    }
  }
  return best(found);
}

const leastScore = 7;

function untilDays(sentence: Sentence): Term[] {
  const { text, start } = sentence;
  return datesOf(text, sentence.isDayFirst).flatMap((day): Term[] => {
    const before = text.slice(Math.max(0, day.start - 90), day.start);
    const isRange = /(?:\d{4}|\d\/\d\d)[\s,]{1,2}(?:to|through|until|till|-)\s{0,2}$/i.test(before);
    if (!isRange && !untilDate.test(before)) return [];
    if (/^\W{0,3}\(?(?:such date,? )?(?:the )?["']?effective date/i.test(text.slice(day.end, day.end + 40)))
      return [];
    const score = isRange ? rangeScore(before) : untilScore(before);
    return [{ end: day.date, length: null, from: null, point: start + day.start, sentence, score }];
  });
}

/** How likely it is that a range of days ends with the term, by the words before it. */
function rangeScore(before: string): number {
  return /\b(?:term|duration|period|project)\b[^;]{0,60}$/i.test(before) ? 8 : 3;
}

/** The same for a day until which something continues. */
function untilScore(before: string): number {
  if (/\bto[\s:]{1,3}$/i.test(before) && !/\bfrom\b[^;]{0,60}$/i.test(before)) return 0;
  const tellsOfEnd = /\bterm\b|\bduration\b|\bexpir|contract end|\bend(?:s|ing)?\b|until|through|conclud/i;
  return tellsOfEnd.test(before) ? 5 : 3;
}

/** A labelled value needs no other words. */
const scoreOfLabel = 9;

function labelled(sentence: Sentence, known: Known): Term[] {
  const { text, start } = sentence;
  const rest = { sentence, score: scoreOfLabel };
  const days = endsLabelled(text, sentence.isDayFirst).map(
    ({ date, start: at }): Term => ({ end: date, length: null, from: null, point: start + at, ...rest }),
  );
  const lengths = lengthsLabelled(text).flatMap((one): Term[] => {
    if (isTooShort(one)) return [];
    const from = fromOf(text, one, known, null);
    const { value, unit } = one;
    return [{ end: endOf(from, one), length: { value, unit }, from, point: start + one.start, ...rest }];
  });
  return [...days, ...lengths];
}

const lengthBefore =
  /\b(?:for|of|is|be|term|period|duration|effect|force|continue|remain|valid|least|continues|remains|shall be|will be|until|ending|ends?|approximately|maximum|during|through|effective|:)[\s"'():,]{1,4}(?:(?:an?|the|in|full|initial|primary|minimum|maximum|fixed|non-?cancell?able|term|period|of|duration|for|additional|entire|at least|up to|successive|base|approximately|one|effect|force|and|stated|further|this|agreement|contract)[\s"')(:,]{1,3}){0,9}$/i;

const isTermItself =
  /\bterm(?: of (?:this|the) (?:[\w-]{1,20} ){0,3}?(?:agreement|contract|lease))?["')]{0,2} (?:is|shall be|will be) (?:for )?(?:a period of )?$/i;

function lengths(sentence: Sentence, known: Known, signature: DatedPhrase | null): Term[] {
  const { text, start } = sentence;
  return durationsOf(text).flatMap((length): Term[] => {
    const before = text.slice(Math.max(0, length.start - 110), length.start);
    if (!lengthBefore.test(before) || /\beach\b[^,]{0,20}$/i.test(before)) return [];
    if (
      isTooShort(length) ||
      /\b(?:and|plus|or) (?:for )?(?:an? )?(?:additional |further )?(?:period of )?(?:at least )?$/i.test(
        before,
      )
    )
      return [];
    const from = fromOf(text, length, known, signature);
    const end = endOf(from, length);
    const isTerm =
      /\b(?:term|period|duration|continues?|remains?|valid|in effect|in force|until|ends)\b/i.test(before);
    const { value, unit } = length;
    return [
      {
        end,
        length: { value, unit },
        from,
        point: start + length.start,
        sentence,
        score: isTermItself.test(before) ? 4 : isTerm ? 3 : 1,
      },
    ];
  });
}

function endOf(from: From, length: Duration): string | null {
  return from?.date ? lastDayOf(from.date, length) : null;
}

function isTooShort({ value, unit }: Duration): boolean {
  if (unit === "BUSINESS_DAY" || (unit === "DAY" && value < 28)) return true;
  return (unit === "WEEK" && value < 4) || (unit === "YEAR" && value > 99);
}

const anniversary = new RegExp(
  `\\b(?:(${ordinalWords}|\\d{1,2}(?:st|nd|rd|th))\\s?(?:\\(\\s?\\d{1,2}(?:st|nd|rd|th)?\\s?\\)\\s)?|((?:[a-z]{3,9}|\\d{1,2})\\s?(?:\\(\\d{1,2}\\)\\s?)?)-?\\s?year\\s)(?:annual )?anniversary`,
  "gi",
);

function anniversaries(sentence: Sentence, known: Known): Term[] {
  const { text, start } = sentence;
  return [...text.matchAll(anniversary)].flatMap((match): Term[] => {
    const before = text.slice(Math.max(0, match.index - 120), match.index);
    if (!/\b(?:until|through|to|means?|end|ends|ending|expires?|terminates?|upon)\b[^;]{0,70}$/i.test(before))
      return [];
    if (/\b(?:on or|at any time|(?<!day )prior to|notice)\b[^;]{0,40}$/i.test(before)) return [];
    const years = match[1] ? ordinalOf(match[1]) : durationsOf(`${match[2]} years`)[0]?.value;
    if (!years || years > 99) return [];
    const length: Duration = { value: years, unit: "YEAR" };
    const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 90);
    const from = anniversaryOf(behind, known);
    const end = endOf(from, length);
    return [{ end, length, from, point: start + match.index, sentence, score: 4 }];
  });
}

function anniversaryOf(behind: string, known: Known): From {
  const words = /^\s?(?:date )?(?:of|from|after) (?:the )?(.+)/i.exec(behind)?.[1];
  const isOwn = !words || /^(?:such|that|this|said|its|commencement of|start of|beginning of)\b/i.test(words);
  return isOwn ? usual(known) : classify(words, known);
}

const fromWords =
  /\b(?:from(?: and after)?|after|following|subsequent to|commenc\w{1,5}(?: on| upon| as of| from| with)?|begin\w{0,5}(?: on| upon| as of| with| from)?|start\w{0,4}(?: on| from| upon)?|as of|effective (?:on|as of|upon))\s(?:the )?([^;]{3,110})/gi;

/** From which day the duration counts: as the words next to it say, else from the agreement's own. */
function fromOf(text: string, length: FoundDuration, known: Known, signature: DatedPhrase | null): From {
  const behind = text.slice(length.end, length.end + 150);
  const [after] = behind.matchAll(fromWords);
  if (
    after &&
    after.index < 45 &&
    !/^(?:thereof|therefrom|thereafter|such|that|this) ?(?:date|day)?/i.test(after[1]!)
  )
    return classify(after[1]!, known, signature);
  const before = text.slice(Math.max(0, length.start - 320), length.start);
  const last = [...before.matchAll(fromWords)].filter(({ 0: words }) => !/^after\b/i.test(words)).at(-1);
  if (last) {
    const named = classify(last[1]!, known, signature);
    if (named || !/^(?:th(?:ere|is)|such|earlier|termination|expir)/i.test(last[1]!)) return named;
  }
  return usual(known);
}

/** The agreement's own day, which may be blank. */
const ownDay = (via: DatedPhrase | null): From => ({ date: via?.date ?? null, via, isOwn: true });

const usual = ({ effective, agreement }: Known): From => ownDay(effective ?? agreement);

/** Null for a day that the text does not give: a launch, a closing, a delivery. */
function classify(words: string, known: Known, signature: DatedPhrase | null = null): From {
  const beginning = words.slice(0, 90);
  const [day] = datesOf(beginning, known.isDayFirst);
  if (day && day.start < 12) return { date: day.date, via: null, isOwn: false };
  if (/^["'(\s]{0,3}(?:[A-Z][\w-]{1,15} ){0,2}(?:effective date|commencement date)/i.test(beginning))
    return usual(known);
  if (
    /^["'\s]{0,2}(?:date (?:hereof|first|(?:up)?on which this|of (?:this|the) (?:agreement|contract|document|amendment)|of (?:its|the) (?:execution|signature|signing|agreement)|of execution|above|set forth|it is executed)|agreement date|execution|execution date|signature|signing|day and year|date on which this agreement is)/i.test(
      beginning,
    )
  ) {
    return ownDay(known.agreement ?? known.effective ?? signature);
  }
  if (/^(?:the )?(?:initial|term\b|agreement\b|this agreement)/i.test(beginning)) return usual(known);
  return day && day.start < 60 ? { date: day.date, via: null, isOwn: false } : null;
}

export type { FoundDate };
