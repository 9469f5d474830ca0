import { expect, test } from "@playwright/test";
import { threadBatches } from "./export.ts";

const thread = (threadId: string, replies: number) => [
  { id: threadId, threadId },
  ...Array.from({ length: replies }, (_, at) => ({ id: `${threadId}, ${at}`, threadId })),
];

test("an export reads at most 200 comments at a time, or one thread, and leaves out none", () => {
  const comments = [
    thread("a", 99),
    thread("b", 99),
    thread("c", 0),
    thread("d", 200),
    thread("e", 0),
  ].flat();
  expect(threadBatches(comments)).toEqual([["a", "b"], ["c"], ["d"], ["e"]]);
  expect(threadBatches([])).toEqual([]);
  const short = Array.from({ length: 500 }, (_, at) => thread(String(at), 0)).flat();
  expect(threadBatches(short).map((ids) => ids.length)).toEqual([200, 200, 100]);
});
