/** The term as labelled on order forms and first pages: "Expiry Date: 31 March 2025", "Initial Term: 24 months". */
import { datesOf, type FoundDate } from "./dates.ts";
import { durationsOf, type FoundDuration } from "./durations.ts";

/** The first label of a form, or one that follows a value or a bar: nothing before it changes its subject. */
const ofForm = "(?:^|[\\d.;:|)\\]]\\s|\\b(?:contract|agreement|subscription|services?|lease|initial)\\s)";
const endLabel = new RegExp(
  `${ofForm}(?:term )?(?:end|expir(?:y|ation)|termination) date(?:\\s?[:|]\\s?|\\s)$|(?:^\\W{0,3}(?:[\\d.]{1,6}\\s)?(?:the\\s)?|["'(])["']?(?:expir(?:y|ation)|termination) date["']?\\s(?:is|means|shall mean|shall be)\\s(?:the\\s)?$|\\bcontract end\\s?[:|]\\s?$`,
  "i",
);
const termLabel = new RegExp(
  `${ofForm}(?:initial )?(?:term|duration)(?: of (?:this |the )?(?:agreement|contract|lease))?\\s?[:|]\\s?$`,
  "i",
);

export function endsLabelled(text: string, isDayFirst: boolean): FoundDate[] {
  if (!/\bdate\b|\bcontract end\b/i.test(text)) return [];
  return datesOf(text, isDayFirst).filter(({ start }) =>
    endLabel.test(text.slice(Math.max(0, start - 60), start)),
  );
}

export function lengthsLabelled(text: string): FoundDuration[] {
  if (!/\b(?:term|duration)\b[^.]{0,30}[:|]/i.test(text)) return [];
  return durationsOf(text).filter(({ start }) => termLabel.test(text.slice(Math.max(0, start - 60), start)));
}
