/** Exports a contract's comments as rows of a table, thread by thread. */
import { findContract } from "#lib/contracts/rows.ts";
import { slicesOf } from "#lib/core/batches/slices.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Comment, CommentExport, CommentThread } from "./schema.ts";
import { threadsOf } from "./threads.ts";

/** Comments have up to 5 kB each. */
const maxBatchComments = 200;

export async function exportComments(ctx: Context, { contractId }: CommentExport) {
  await findContract(ctx, contractId);
  const rows = await select<{ id: string; threadId: string }>(
    `SELECT id, thread_id AS "threadId" FROM comments WHERE organization_id = $1 AND contract_id = $2 ORDER BY id`,
    [ctx.organizationId, contractId],
  );
  return {
    target: "comments",
    columns: [
      "thread",
      "createdAt",
      "author",
      "comment",
      "version",
      "page",
      "quote",
      "editedAt",
      "resolvedAt",
      "resolvedBy",
    ],
    rowCount: rows.length,
    batches: rowsOf(ctx, contractId, threadBatches(rows)),
  };
}

/** Divides threads, oldest first, into those that are read together: by their comments, and at least one. */
export function threadBatches(comments: { id: string; threadId: string }[]): string[][] {
  const sizes = new Map<string, number>();
  for (const { threadId } of comments) sizes.set(threadId, (sizes.get(threadId) ?? 0) + 1);
  const threads = comments.filter(({ id, threadId }) => id === threadId).map(({ id }) => id);
  return [...slicesOf(threads, { weightOf: (id) => sizes.get(id)!, most: maxBatchComments })];
}

async function* rowsOf(ctx: Context, contractId: string, groups: string[][]) {
  let number = 0;
  for (const ids of groups) {
    const threads = await threadsOf(ctx, contractId, ids);
    yield threads.flatMap((thread) => {
      const cells = cellsIn(thread, ++number);
      return [thread, ...thread.replies].map(cells);
    });
  }
}

function cellsIn({ version, page, quote, resolvedAt, resolvedBy }: CommentThread, number: number) {
  return ({ createdAt, author, text, editedAt }: Comment): (string | number | null)[] => [
    number,
    createdAt,
    author.name,
    text,
    version?.versionNumber ?? null,
    page,
    quote,
    editedAt,
    resolvedAt,
    resolvedBy?.name ?? null,
  ];
}
