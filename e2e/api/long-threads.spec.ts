import { housekeeping } from "#lib/core/housekeeping.ts";
import { newId } from "#lib/core/ids.ts";
import { expect, test, type Workspace } from "../fixtures.ts";
import { signedIn } from "../members.ts";

// biome-ignore lint/suspicious/noExplicitAny: the test checks the parts of a response that it needs.
type Json = any;
/** Writes a thread of 150 comments; returns its id. */
async function longThread({ organizationId, ownerId }: Workspace, contractId: string): Promise<string> {
  const ids = Array.from({ length: 150 }, () => newId("comment"));
  const data = ids.map((id) => ({
    ...{ organizationId, id, contractId, threadId: ids[0]!, authorId: ownerId, text: "No." },
    ...{ mentionedIds: [], untoldIds: [], createdAt: new Date() },
  }));
  await housekeeping((store) => store.comment.createMany({ data }));
  return ids[0]!;
}

test("a page of long threads ends early, and pages have each thread once", async ({ workspace }) => {
  const { id } = await workspace.contract();
  const threads: string[] = [];
  for (let number = 0; number < 5; number++) threads.unshift(await longThread(workspace, id));
  const member = await signedIn(workspace, "member");
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const { body }: Json = await member.call("comments.list", { id, ...(cursor ? { cursor } : {}) });
    const page: { id: string; replies: object[] }[] = body.data;
    expect(page.map(({ replies }) => replies.length)).toEqual(page.map(() => 149));
    pages.push(page.map((thread) => thread.id));
    cursor = body.nextCursor;
  } while (cursor);
  expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(threads);
});
