/** A document as rules read it: its line, divided into sentences. */
import { writesDayFirst } from "./dates.ts";
import { type Flow, flowOf, type Span, sentencesOf } from "./flow.ts";

export interface Sentence extends Span {
  text: string;
  /** The document writes "3/4/2026" for a day of April. */
  isDayFirst: boolean;
}

export interface ReadDocument {
  flow: Flow;
  sentences: Sentence[];
}

export function documentOf(pages: string[]): ReadDocument {
  const flow = flowOf(pages);
  const isDayFirst = writesDayFirst(flow.line);
  const sentences = sentencesOf(flow).map(({ start, end }) => ({
    start,
    end,
    text: flow.line.slice(start, end),
    isDayFirst,
  }));
  return { flow, sentences };
}
