/** The last moment to act within a window: of "not less than 30 nor more than 90 days prior", 30 days. */
import { type Duration, type FoundDuration, isShorter, lengthBefore } from "./durations.ts";

/** Words before a duration that make it the earliest time to act, not the latest. */
const earliest =
  /(?:[\s,]{0,2}\b(?:and|but|nor|or))?[\s,]{0,2}\b(?:in any event )?(?:(?:not?|nor|or|never|in no event) (?:be )?(?:more|greater|longer|earlier|sooner) than|(?:not?|nor) (?:before|exceeding|to exceed)|at (?:the )?(?:most|earliest)|up to|(?:the |an? )?maximum of)\s(?:the (?:date|day) (?:that|which) is )?(?:the |an? )?(?:period of )?$/i;
/** The words within "30 to 90 days"; a number before a dash with spaces may be a section's. */
const range = /(?:[-–—]|(?<=[a-z)])\s[-–—]\s|-?\s(?:to|through|until)\s)$/i;
const joined = /\s(?:and|or)\s$/i;
const framing = /\b(?:between|from)\s(?:the )?$/i;

/** How long before the end is the last time to act; null if the text only gives the earliest. */
export function lastToAct(before: string, { value, unit }: FoundDuration): Duration | null {
  const own = { value, unit };
  const first = earliest.exec(before);
  const words = first ?? range.exec(before) ?? joined.exec(before);
  if (!words) return own;
  const head = before.slice(0, words.index).replace(/,$/, "");
  const found = lengthBefore(head, own);
  const isOther = found && isShorter(found, own);
  const other = isOther ? { value: found.value, unit: found.unit } : null;
  if (first) return other;
  const isFramed = found && (!joined.test(words[0]) || framing.test(head.slice(0, found.start)));
  return isFramed && other ? other : own;
}
