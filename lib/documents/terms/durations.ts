/** Durations as contracts write them: "ninety (90) days", "one-year", "half a year", "year to year". */

export type Unit = "DAY" | "BUSINESS_DAY" | "WEEK" | "MONTH" | "YEAR";

export interface Duration {
  value: number;
  unit: Unit;
}

export interface FoundDuration extends Duration {
  start: number;
  end: number;
}

const ones =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ordinals =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
    " ",
  );
/** At the end of a line, a hyphen is followed by white space. */
const joint = "[-‐‑\\s]{1,2}";

/** "and" joins only within a number: "thirty and ninety" are two. */
const numberWord = `(?:${[...ones, ...tens].toSorted((a, b) => b.length - a.length).join("|")}|hundred(?:[\\s-]{1,2}and)?)`;
const written = `(?:(?<!\\band[\\s-](?:an?|one)[\\s-])half(?:\\s(?:an?|of\\san?))?|an?|another|${numberWord}(?:[\\s-]{1,2}${numberWord}){0,5})`;
const figures = "\\d{1,4}(?:\\.5)?";
const inBrackets = "\\s?[\\[(]\\s?\\d{1,4}\\s?[)\\]]?";
const between =
  "(?:calendar|consecutive|full|additional|further|successive|more|business|working|banking|contract|whole|extra)";
/** "and a half (2.5)", "and one-half", "1/2". */
const andHalf =
  "(?:[\\s-]and[\\s-](?:(?:an?|one)[\\s-])?half|[\\s-](?:and\\s)?1/2|\\s?½)(?:\\s?[\\[(]\\s?(?:\\d{1,4}[\\s-]?)?(?:\\.5|½|1/2)\\s?[)\\]])?";
const amount = `(?:(?:${written}|${figures})(?:${inBrackets})?|[\\[(]?\\s?\\d{1,4}\\s?[)\\]])`;
const unitWord = "(?:days?|weeks?|months?|years?|quarters?|annual)";
const duration = new RegExp(
  `(?<![\\w.$,]|\\d/)(${amount})(${andHalf})?[\\s~-]{0,3}(?:((?:${between}[\\s-]){0,2}))(${unitWord})(?:\\(s\\))?(?![\\w])(\\sand\\s(?:a|one)[\\s-]half(?!\\sof\\b))?`,
  "gi",
);

/** All durations within a sentence, in order. */
export function durationsOf(sentence: string): FoundDuration[] {
  const found = [...sentence.matchAll(duration)].flatMap((match) => {
    const [whole, number = "", half, adjective = "", word = "", behind] = match;
    const length = measured(withHalf(number, half ?? behind), word, adjective);
    return length ? [{ ...length, start: match.index, end: match.index + whole.length }] : [];
  });
  return joined(found, sentence);
}

/** "two years and six months" is one duration. A comma joins only if no list of durations follows. */
const joins = /^(?:\s|,?\s(?:and|plus)\s|,\s)$/i;
const goesOn = /^\s?(?:,|(?:or|to)\b)/i;
/** What two durations refer to, if the second is not part of the first. */
const apart =
  /^['’\s,]{0,3}(?:calendar |business |days? )?(?:prior|advance|before|in advance|written|notice|respectively|preceding|after (?:receipt|notice))/i;

/** Years plus days, which no single unit can express, are no duration rather than a wrong one. */
function joined(found: FoundDuration[], sentence: string): FoundDuration[] {
  const runs: FoundDuration[][] = [];
  for (const one of found) {
    const run = runs.at(-1);
    if (run && isPartOf(run.at(-1)!, one, sentence)) run.push(one);
    else runs.push([one]);
  }
  return runs.flatMap((run) => {
    const [first] = run as [FoundDuration];
    if (run.length === 1) return first;
    const months = run.map(monthsOf);
    const sum = months.reduce<number>((all, one) => all + (one ?? Number.NaN), 0);
    const length = checked(sum, "MONTH");
    return length ? { ...length, start: first.start, end: run.at(-1)!.end } : [];
  });
}

/** This many or more of a smaller unit are a duration of their own. */
const maxOfPart = { DAY: 31, BUSINESS_DAY: 23, WEEK: 5, MONTH: 12, YEAR: 0 } satisfies Record<Unit, number>;

function isPartOf(one: FoundDuration, next: FoundDuration, sentence: string): boolean {
  if (one.unit === "DAY" || one.unit === "BUSINESS_DAY" || one.unit === next.unit) return false;
  if (!isShorter({ value: 1, unit: next.unit }, { value: 1, unit: one.unit })) return false;
  const between = sentence.slice(one.end, next.start);
  const behind = sentence.slice(next.end, next.end + 40);
  if (!joins.test(between) || (between === ", " && goesOn.test(behind))) return false;
  if (one.unit === "YEAR" && apart.test(behind)) return false;
  const isAdjective = /-(?:week|month|year)$/i.test(sentence.slice(one.start, one.end));
  const isFrame = /\bbetween\s(?:the )?$/i.test(sentence.slice(Math.max(0, one.start - 12), one.start));
  return next.value < maxOfPart[next.unit] && !isAdjective && !isFrame;
}

/** For two durations that share a unit, or have one each: "thirty (30)" before "nor more than ninety (90) days". */
const endsWithLength = new RegExp(
  `(?<![\\w.$,]|\\d/)(${amount})(${andHalf})?(?:[\\s~-]{0,3}((?:${between}[\\s-]){0,2})(${unitWord})(?:\\(s\\))?['’]?)?$`,
  "i",
);

/** The duration with which the text ends; if it ends with only a number, in the unit of what follows. */
export function lengthBefore(text: string, { unit: unitOfNext }: Duration): FoundDuration | null {
  const match = endsWithLength.exec(text);
  if (!match) return null;
  const [, number = "", half, adjective = "", word] = match;
  const value = withHalf(number, half);
  const length = word ? measured(value, word, adjective) : checked(value, unitOfNext);
  return length && { ...length, start: match.index, end: text.length };
}

function withHalf(number: string, half: string | undefined): number {
  return (numberOf(number) ?? Number.NaN) + (half ? 0.5 : 0);
}

function measured(value: number, word: string, adjective: string): Duration | null {
  const unit = word.toLowerCase().replace(/s$/, "");
  if (unit === "day") {
    return checked(value, /business|working|banking/i.test(adjective) ? "BUSINESS_DAY" : "DAY");
  }
  if (unit === "week") return checked(value, "WEEK");
  if (unit === "quarter") return checked(value * 3, "MONTH");
  if (unit === "month") return checked(value, "MONTH");
  return checked(value, "YEAR") ?? checked(value * 12, "MONTH");
}

/** Half a month is not a duration that can be counted to a day. */
function checked(value: number, unit: Unit): Duration | null {
  return Number.isInteger(value) && value > 0 && value <= 3650 ? { value, unit } : null;
}

/** If both are given, the figures in brackets count: "sixty (90) days" is a slip of the words. */
export function numberOf(text: string): number | null {
  const digits = /(\d{1,4}(?:\.5)?)\s?[)\]]?$/.exec(text.trim());
  if (digits) return Number(digits[1]);
  const words = text
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word !== "and" && word !== "");
  if (words[0] === "half") return 0.5;
  let sum = 0;
  for (const word of words) {
    if (word === "a" || word === "an" || word === "another") sum += 1;
    else if (word === "hundred") sum = Math.max(1, sum) * 100;
    else if (ones.includes(word)) sum += ones.indexOf(word) + 1;
    else if (tens.includes(word)) sum += (tens.indexOf(word) + 2) * 10;
    else return null;
  }
  return sum;
}

/** "fifth (5th)", "5th", "twenty-first": 5, 5, 21. */
export function ordinalOf(text: string): number | null {
  const digits = /\d{1,3}/.exec(text);
  if (digits) return Number(digits[0]);
  const words = text
    .trim()
    .toLowerCase()
    .split(/[-‐‑\s]+/);
  const last = words.at(-1)!;
  if (last === "thirtieth") return 30;
  const at = ordinals.indexOf(last);
  if (at < 0) return null;
  return words.length > 1 ? (tens.indexOf(words[0]!) + 2) * 10 + at + 1 : at + 1;
}

/** As far as months have days. The last word of "forty-fifth" is not an ordinal of its own. */
export const ordinalWords = `(?:twenty${joint}(?:${ordinals.slice(0, 9).join("|")})|thirty${joint}first|thirtieth|(?<!\\b(?:${tens.join("|")})${joint})(?:${ordinals.join("|")}))`;

/** In months, if the unit allows it: 12 months and 1 year are equal. */
export function monthsOf({ value, unit }: Duration): number | null {
  if (unit === "MONTH") return value;
  return unit === "YEAR" ? value * 12 : null;
}

const daysOf = { DAY: 1, BUSINESS_DAY: 1.4, WEEK: 7, MONTH: 30.4, YEAR: 365 } satisfies Record<Unit, number>;

export const isShorter = (a: Duration, b: Duration) => a.value * daysOf[a.unit] < b.value * daysOf[b.unit];

/** As people write it: "90 days", "1 year". */
export function formatDuration({ value, unit }: Duration): string {
  const word = { DAY: "day", BUSINESS_DAY: "business day", WEEK: "week", MONTH: "month", YEAR: "year" }[unit];
  return `${value} ${word}${value === 1 ? "" : "s"}`;
}
