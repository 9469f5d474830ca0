import { expect, test } from "@playwright/test";
import { threadsAtOnce } from "./export.ts";

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
  expect(threadsAtOnce(comments)).toEqual([["a", "b"], ["c"], ["d"], ["e"]]);
  expect(threadsAtOnce([])).toEqual([]);
  const short = Array.from({ length: 500 }, (_, at) => thread(String(at), 0)).flat();
  expect(threadsAtOnce(short).map((ids) => ids.length)).toEqual([200, 200, 100]);
});
