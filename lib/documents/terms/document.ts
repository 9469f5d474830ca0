/** A document as rules read it: its line in sentences. */
import { type Flow, flowOf, type Span, sentencesOf } from "./flow.ts";

export interface Sentence extends Span {
  text: string;
}

export interface ReadDocument {
  flow: Flow;
  sentences: Sentence[];
}

export function documentOf(pages: string[]): ReadDocument {
  const flow = flowOf(pages);
  const sentences = sentencesOf(flow).map(({ start, end }) => ({
    start,
    end,
    text: flow.line.slice(start, end),
  }));
  return { flow, sentences };
}
