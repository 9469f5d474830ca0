/** How likely it is that a sentence states the agreement's term, and not the duration of something else. */
import { doneUnderIt } from "./agreement.ts";
import type { Sentence } from "./document.ts";

/** Things other than the agreement that have a duration. */
const otherThings =
  /\b(?:warrant(?:y|ies)|confidential\w{0,8}|surviv\w{1,4}|non-?compet\w{1,8}|non-?solicit\w{0,6}|guarant\w{1,4}|exclusivity|cure|interest|royalt\w{1,4}|escrow|insurance|purchase order|statute|records?|audit|indemnif\w{1,8}|restrict\w{1,6}|vesting|option period|sell-?off|transition|wind-?down|patents?|standstill|probation\w{0,5}|severance|invoice|payment|breach|default|purchase price|suspension|forecast|lock-?up|sublicen[sc]e|offers?|prices|quot(?:es?|ations?)|(?:licen[cs]e|polic(?:y|ies)|permit|passport) (?:no|number|period)|exclusive right|disclos\w{1,5}|(?:after|following) (?:the |such |any )?(?:termination|expiration)|assignee|license term|upon (?:any )?(?:termination|expiration) of|renewal terms? (?:shall|will) be)\b/gi;
const renewing = /\b(?:renew\w{0,6}|extend\w{0,3}|extension\w?|prolong\w{0,3})\b/i;

/** From the sentence's own words: what it calls the term, and that the agreement runs. */
export function scoreOf({ text, start }: Sentence): number {
  let score = 0;
  if (
    /\bterm of (?:this|the) (?:[\w-]{1,20} ){0,3}?(?:agreement|contract|lease|license|amendment|appointment|jsma|franchise|addendum)\b/i.test(
      text,
    )
  )
    score += 3;
  if (
    /\b(?:initial|effective|contract) (?:term|period)\b|\bterm["']? (?:shall mean|means)\b|duration of|\(the ["']?\s?(?:initial |primary )?term|\(["']term["']\)|["']term["']|cooperation (?:period|term)/i.test(
      text,
    )
  )
    score += 3;
  if (
    /\b(?:this|the present) (?:[\w-]{1,20} ){0,3}?(?:agreement|contract|venture|amendment|addendum|lease|engagement|appointment|statement of work)\b[^.]{0,90}\b(?:commence|begin|become|continue|remain|effective|in (?:full )?force|in effect|valid|for (?:a|the|an) (?:initial |primary )?(?:term|period)|expires?|terminates? on|ends? on)/i.test(
      text,
    )
  )
    score += 4;
  if (
    /^\W{0,3}(?:\d{1,2}[\d.]{0,6}\W{1,3})?(?:article|section)?\W{0,3}(?:[\divx.]{1,6}\W{1,3})?(?:initial |effective |contract )?(?:term|duration)\b/i.test(
      text,
    )
  )
    score += 2;
  if (/\b(?:the|its) ["']?(?:initial )?term["']? (?:is|shall be|will be|shall run|runs)\b/i.test(text))
    score += 3;
  if (
    /\b(?:agreement|contract)["')]{0,2} (?:has|shall have|is (?:concluded|made|entered into)) (?:for )?an? (?:fixed |initial )?(?:term|period|duration) of\b/i.test(
      text,
    )
  )
    score += 4;
  if (
    /\bThe (?:Agreement|Contract) (?:shall|will|is|continues|remains|comes|enters|expires)\b[^.]{0,60}\b(?:in (?:full )?(?:force|effect)|continue|remain|expire|valid)/.test(
      text,
    )
  )
    score += 4;
  if (/\bunless (?:sooner|earlier|otherwise)? ?(?:sooner|earlier|otherwise|terminated|extended)/i.test(text))
    score += 1;
  if (/\bcommenc|begin|effective date|date hereof/i.test(text)) score += 1;
  if (start < 400) score -= 1;
  return score;
}

/** "May not terminate this Agreement until …": the earliest day to end it, not its end. */
const endedByAct =
  /\b(?:may|can(?:not)?|could|neither|nor|no|right|entitled|option)\b[^.;,]{0,70}\b(?:terminate[d]?|cancel(?:led|ed)?|terminable)\b(?! (?:automatically|on its own))[^.;,]{0,110}$/i;

const ofSection =
  /\b(?:sections?|articles?|clauses?|paragraphs?) \d[\d.]{0,6}(?: (?:and|to|through) [\d.]{1,6})?(?: of this agreement)?,? (?:shall|will|continues?|remains?)\b[^.;]{0,60}$/i;

/** The penalty for words about other things near the match, and about what only comes after the term. */
export function penalty({ text }: Sentence, at: number): number {
  const near = text.slice(Math.max(0, at - 170), at + 90);
  const others = [...near.matchAll(otherThings)].length;
  const clauseStart = Math.max(text.lastIndexOf(";", at), 0);
  const before = text.slice(Math.max(clauseStart, at - 130), at);
  const behind = text.slice(at, at + 90);
  const isRenewal =
    /\b(?:additional|successive|subsequent|renewal) (?:term |period )?(?:of )?(?:an? )?$/i.test(before) ||
    (renewing.test(before) &&
      !/\bunless\b|\binitial\b|\bor extended\b|\bextended (?:by|or)\b|earlier/i.test(before) &&
      !/initial (?:term|period)/i.test(behind));
  return (
    Math.min(8, others * 3) +
    (isRenewal ? 6 : 0) +
    (endedByAct.test(before) ? 8 : 0) +
    (doneUnderIt.test(before) || ofSection.test(before) ? 5 : 0) +
    (/\bnotice\b|\bprior\b/i.test(text.slice(at, at + 45)) ? 5 : 0)
  );
}
