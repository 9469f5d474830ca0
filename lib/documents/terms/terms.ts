/**
 * Reads the dates and obligations stated on a contract's pages. Every finding has its quote, exactly as on the page,
 * and a sentence that explains how its value follows. Kinds that were right less than four times out of five on
 * contracts marked by lawyers are left out (docs/reading.md).
 */
import { agreementDateOf, type DatedPhrase, effectiveDateOf } from "./agreement.ts";
import { documentOf, type ReadDocument, type Sentence } from "./document.ts";
import { type Duration, formatDuration } from "./durations.ts";
import { type Duty, type DutyKind, dutiesOf } from "./duties.ts";
import { type Quote, quoteOf } from "./flow.ts";
import { type Named, partiesOf, titleOf, typeOf } from "./heading.ts";
import { noticeOf, type Renewal, renewalOf } from "./renewal.ts";
import { type Term, termOf } from "./term.ts";

export interface Finding {
  quote: Quote;
  /** How the value follows from the quote. */
  reasoning: string;
}

export interface FoundDay extends Finding {
  /** YYYY-MM-DD. */
  date: string;
}

export interface FoundTerm extends Finding {
  /** The last day; null if the day from which it counts is unknown. */
  end: string | null;
  length: Duration | null;
  from: string | null;
  /** The duration counts from the agreement's own day, which the text may leave blank. */
  isFromOwnDay: boolean;
}

export interface FoundRenewal extends Finding {
  length: Duration;
  isAutomatic: boolean;
  isSuccessive: boolean;
}

export interface FoundLength extends Finding {
  length: Duration;
}

export interface FoundDuty extends Finding {
  kind: DutyKind;
  length: Duration | null;
  recurrenceMonths: number | null;
}

export interface FoundName extends Finding {
  name: string;
}

export interface Findings {
  title: (FoundName & { type: string }) | null;
  parties: FoundName[];
  agreementDate: FoundDay | null;
  effectiveDate: FoundDay | null;
  term: FoundTerm | null;
  renewal: FoundRenewal | null;
  renewalNotice: FoundLength | null;
  duties: FoundDuty[];
}

export function readTerms({ pages }: { pages: string[]; path?: string }): Findings {
  const document = documentOf(pages);
  const { sentences, flow } = document;
  const length = flow.line.length;
  const agreement = agreementDateOf(sentences, length);
  const effective = effectiveDateOf(sentences, agreement, length);
  const isDayFirst = sentences[0]?.isDayFirst ?? false;
  const term = termOf(sentences, { effective, agreement, isDayFirst }, length);
  const renewal = renewalOf(sentences, term);
  const notice = noticeOf(sentences, renewal);
  const title = titleOf(document);
  return {
    title: title && { ...named(document, title), type: typeOf(title.name) },
    parties: partiesOf(document).map((one) => named(document, one)),
    agreementDate: agreement && day(document, agreement),
    effectiveDate: effective && day(document, effective),
    term: term && foundTerm(document, term),
    renewal: renewal && foundRenewal(document, renewal),
    renewalNotice: notice && {
      length: notice.length,
      quote: quoteAround(document, notice),
      reasoning: `Notice is due ${formatDuration(notice.length)} before the term ends.`,
    },
    duties: dutiesOf(sentences).map((one) => foundDuty(document, one)),
  };
}

/** How much of a long sentence to keep on either side of its point. */
const maxAround = 400;

function quoteAround(
  { flow }: ReadDocument,
  { sentence, point }: { sentence: Sentence; point: number },
): Quote {
  const { line } = flow;
  let { start, end } = sentence;
  if (point - start > maxAround) start = line.indexOf(" ", point - maxAround) + 1;
  if (end - point > maxAround) end = line.lastIndexOf(" ", point + maxAround);
  return quoteOf(flow, { start, end }, point);
}

function named({ flow }: ReadDocument, { name, start, end }: Named): FoundName {
  const from = start <= 80 ? 0 : line(flow.line.lastIndexOf(" ", start - 80));
  const space = flow.line.indexOf(" ", end + 80);
  const quote = quoteOf(flow, { start: from, end: space < 0 ? flow.line.length : space }, start);
  return { name, quote, reasoning: "As the document names it." };
}

const line = (space: number) => Math.max(0, space + 1);

function day(document: ReadDocument, phrase: DatedPhrase): FoundDay {
  const { date, via } = phrase;
  const reasoning = via ? `That day is ${formatDate(via.date)}.` : `The text names ${formatDate(date)}.`;
  return { date, quote: quoteAround(document, phrase), reasoning };
}

function foundTerm(document: ReadDocument, term: Term): FoundTerm {
  const { end, length, from } = term;
  return {
    end,
    length,
    from: from?.date ?? null,
    isFromOwnDay: from?.isOwn ?? false,
    quote: quoteAround(document, term),
    reasoning: reasonOf(term),
  };
}

function reasonOf({ end, length, from }: Term): string {
  if (!length) return `The text names ${formatDate(end!)} as its end.`;
  if (!end || !from?.date) {
    const day = from?.isOwn ? "the day on which it takes effect" : "a day that the text does not tell";
    return `${formatDuration(length)}, from ${day}.`;
  }
  return `${formatDuration(length)} from ${formatDate(from.date)}: its last day is ${formatDate(end)}.`;
}

function foundRenewal(document: ReadDocument, renewal: Renewal): FoundRenewal {
  const { length, isAutomatic, isSuccessive } = renewal;
  const times = isSuccessive ? "for periods" : "for a period";
  const how = isAutomatic ? "It renews by itself" : "It can be renewed";
  const reasoning = `${how} ${times} of ${formatDuration(length)}.`;
  return { length, isAutomatic, isSuccessive, quote: quoteAround(document, renewal), reasoning };
}

function foundDuty(document: ReadDocument, duty: Duty): FoundDuty {
  const { kind, length, recurrenceMonths } = duty;
  const time = length ? formatDuration(length) : null;
  const words: Record<DutyKind, string> = {
    convenience: time ? `Ending it takes ${time} notice.` : "It can be ended without a cause.",
    payment: `Payment is due within ${time}.`,
    audit: time ? `An audit takes ${time} notice.` : "The text allows an audit.",
    insurance: "The text asks for insurance.",
    reporting: `A report is due within ${time}.`,
    afterEnd: time ? `It applies for ${time} after the end.` : "It applies after the end.",
  };
  return { kind, length, recurrenceMonths, quote: quoteAround(document, duty), reasoning: words[kind] };
}

/** "1 June 2001": day and month cannot be confused. */
function formatDate(date: string): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(`${date}T00:00:00Z`));
}
