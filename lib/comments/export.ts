/** Exports a contract's comments as rows of a table, thread by thread. */
import { findContract } from "#lib/contracts/rows.ts";
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import type { Comment, CommentExport, CommentThread } from "./schema.ts";
import { threadsOf } from "./threads.ts";

const batch = 50;

export async function exportComments(ctx: Context, { contractId }: CommentExport) {
  await findContract(ctx, contractId);
  const rows = await select<{ id: string; threadId: string }>(
    `SELECT id, thread_id AS "threadId" FROM comments WHERE organization_id = $1 AND contract_id = $2 ORDER BY id`,
    [ctx.organizationId, contractId],
  );
  const threadIds = rows.filter(({ id, threadId }) => id === threadId).map(({ id }) => id);
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
    batches: rowsOf(ctx, contractId, threadIds),
  };
}

async function* rowsOf(ctx: Context, contractId: string, ids: string[]) {
  for (let at = 0; at < ids.length; at += batch) {
    const threads = await threadsOf(ctx, contractId, ids.slice(at, at + batch));
    yield threads.flatMap((thread, index) => {
      const cells = cellsIn(thread, at + index + 1);
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
