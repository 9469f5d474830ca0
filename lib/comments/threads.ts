/** Reads comments thread by thread, newest thread first. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { notFound } from "#lib/core/errors.ts";
import type { Comment, CommentQuery, CommentThread } from "./schema.ts";

interface Row {
  id: string;
  threadId: string;
  authorId: string;
  authorName: string;
  text: string;
  mentionedIds: string[];
  mentionedNames: string[];
  createdAt: string;
  editedAt: string | null;
  deletedAt: string | null;
  versionId: string | null;
  versionNumber: number | null;
  page: number | null;
  quote: string | null;
  resolvedAt: string | null;
  resolvedById: string | null;
  resolvedByName: string | null;
}

const columns = `m.id, m.thread_id AS "threadId", a.id AS "authorId", a.name AS "authorName", m.text,
  m.mentioned_ids AS "mentionedIds",
  ARRAY(SELECT u.name FROM unnest(m.mentioned_ids) WITH ORDINALITY AS mentioned (id, place)
    JOIN users u ON u.id = mentioned.id ORDER BY place) AS "mentionedNames",
  m.created_at AS "createdAt", m.edited_at AS "editedAt", m.deleted_at AS "deletedAt",
  v.id AS "versionId", v.version_number AS "versionNumber", m.page, m.quote,
  m.resolved_at AS "resolvedAt", r.id AS "resolvedById", r.name AS "resolvedByName"`;

const joins = `JOIN users a ON a.id = m.author_id
  LEFT JOIN users r ON r.id = m.resolved_by_id
  LEFT JOIN document_versions v ON v.organization_id = m.organization_id AND v.id = m.version_id`;

/** A page ends early where its threads have more comments, of up to 5 kB each, than this. */
const commentsOnPage = 400;

/** Returns a page of threads, and how many are open and resolved in all. */
export async function listThreads(ctx: Context, { id, state, limit, cursor }: CommentQuery) {
  const counts = await countThreads(ctx, id);
  const threads = await select<{ id: string; size: number }>(
    `SELECT id, (SELECT count(*)::int FROM comments r WHERE r.organization_id = t.organization_id
         AND r.contract_id = t.contract_id AND r.thread_id = t.id) AS size
     FROM comments t WHERE organization_id = $1 AND contract_id = $2 AND id = thread_id
       AND ($3::text = 'all' OR (resolved_at IS NULL) = ($3::text = 'open')) AND ($4::text IS NULL OR id < $4)
     ORDER BY id DESC LIMIT $5::int`,
    [ctx.organizationId, id, state, cursor ?? null, limit + 1],
  );
  let comments = 0;
  const shown = threads
    .slice(0, limit)
    .filter(({ size }, index) => {
      comments += size;
      return index === 0 || comments <= commentsOnPage;
    })
    .map((thread) => thread.id);
  return {
    data: await threadsOf(ctx, id, shown),
    nextCursor: threads.length > shown.length ? (shown.at(-1) ?? null) : null,
    ...counts,
  };
}

async function countThreads(ctx: Context, contractId: string) {
  const [found] = await select<{ openCount: number; resolvedCount: number }>(
    `SELECT (SELECT count(*)::int FROM comments m WHERE m.organization_id = c.organization_id
         AND m.contract_id = c.id AND m.id = m.thread_id AND m.resolved_at IS NULL) AS "openCount",
       (SELECT count(*)::int FROM comments m WHERE m.organization_id = c.organization_id
         AND m.contract_id = c.id AND m.id = m.thread_id AND m.resolved_at IS NOT NULL) AS "resolvedCount"
     FROM contracts c WHERE c.organization_id = $1 AND c.id = $2`,
    [ctx.organizationId, contractId],
  );
  if (!found) throw notFound("contract");
  return found;
}

/** Returns these threads of a contract, in this order, with their replies. */
export async function threadsOf(ctx: Context, contractId: string, ids: string[]): Promise<CommentThread[]> {
  if (ids.length === 0) return [];
  const rows = await select<Row>(
    `SELECT ${columns} FROM comments m ${joins}
     WHERE m.organization_id = $1 AND m.contract_id = $2 AND m.thread_id = ANY($3::text[]) ORDER BY m.id`,
    [ctx.organizationId, contractId, ids],
  );
  const first = new Map(rows.filter((row) => row.id === row.threadId).map((row) => [row.id, row]));
  const replies = Map.groupBy(
    rows.filter((row) => row.id !== row.threadId),
    (row) => row.threadId,
  );
  return ids.flatMap((id) => {
    const row = first.get(id);
    return row ? [threadFrom(row, replies.get(id) ?? [])] : [];
  });
}

function commentFrom(row: Row): Comment {
  const { id, authorId, authorName, text, mentionedIds, mentionedNames, createdAt, editedAt, deletedAt } =
    row;
  return {
    id,
    author: { id: authorId, name: authorName },
    text: deletedAt === null ? text : null,
    mentions: mentionedIds.map((userId, index) => ({ id: userId, name: mentionedNames[index] ?? "" })),
    createdAt,
    editedAt,
  };
}

function threadFrom(row: Row, replies: Row[]): CommentThread {
  const { versionId, versionNumber, page, quote, resolvedAt, resolvedById, resolvedByName } = row;
  return {
    ...commentFrom(row),
    version: versionId !== null && versionNumber !== null ? { id: versionId, versionNumber } : null,
    page,
    quote,
    resolvedAt,
    resolvedBy: resolvedById === null ? null : { id: resolvedById, name: resolvedByName ?? "" },
    replies: replies.map(commentFrom),
  };
}
