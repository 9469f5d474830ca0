/**
 * Members' comments on a contract or a passage of a version. The audit log records that someone commented, but never
 * the text: deleting a comment removes its text everywhere except from backups.
 */
import { findContract } from "#lib/contracts/rows.ts";
import { change, type Recorder, select } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Transaction } from "#lib/core/db.ts";
import { invalid, notFound, Refusal } from "#lib/core/errors.ts";
import type { Action } from "#lib/core/history.ts";
import { newId } from "#lib/core/ids.ts";
import { maxComments, maxReplies, type NewComment, type NewReply } from "./schema.ts";

/** Starts a thread about a contract, or about a passage of one of its versions. */
export async function addComment(ctx: Context, { id: contractId, text, mentions, passage }: NewComment) {
  return change(ctx, async (tx, record) => {
    const contract = await findContract(ctx, contractId);
    await expectCapacity(ctx, contractId);
    await expectMembers(ctx, mentions);
    if (passage) await expectPage(ctx, contractId, passage);
    const id = newId("comment");
    await tx.comment.create({
      data: { ...own(ctx), ...commentData(ctx, text, mentions), id, contractId, threadId: id, ...passage },
    });
    recordChange(record, "COMMENT_ADDED", id, contract);
    return { comment: { id } };
  });
}

/** Replies in a thread, given the id of its first comment or of a reply. A resolved thread stays resolved. */
export async function addReply(ctx: Context, { id: to, text, mentions }: NewReply) {
  return change(ctx, async (tx, record) => {
    const { threadId, contractId, title } = await lockThread(tx, ctx, to);
    await expectCapacity(ctx, contractId, threadId);
    await expectMembers(ctx, mentions);
    const id = newId("comment");
    await tx.comment.create({
      data: { ...own(ctx), ...commentData(ctx, text, mentions), id, contractId, threadId },
    });
    recordChange(record, "COMMENT_ADDED", id, { id: contractId, title });
    return { comment: { id } };
  });
}

function commentData(ctx: Context, text: string, mentions: string[]) {
  const mentionedIds = [...new Set(mentions)];
  return {
    authorId: ctx.actor.id,
    text,
    mentionedIds,
    untoldIds: idsToNotify(ctx, mentionedIds),
    createdAt: ctx.now,
  };
}

/** The mentioned members to notify, without the author. A job notifies them (notifications/send.ts). */
const idsToNotify = (ctx: Context, mentionedIds: string[]) =>
  mentionedIds.filter((id) => id !== ctx.actor.id);

/** Edits the actor's own comment. Newly mentioned members are notified; those no longer mentioned are not. */
export async function editComment(ctx: Context, { id, text, mentions }: NewReply): Promise<void> {
  await change(ctx, async (tx, record) => {
    const comment = await lockThread(tx, ctx, id);
    if (comment.authorId !== ctx.actor.id) {
      throw new Refusal("forbidden", "Only a comment's author can edit it.");
    }
    if (comment.text === text && sameSet(comment.mentionedIds, mentions)) return;
    await expectMembers(ctx, mentions, comment.mentionedIds);
    const mentionedIds = [...new Set(mentions)];
    await tx.comment.update({
      where: { organizationId_id: { ...own(ctx), id } },
      data: {
        text,
        mentionedIds,
        untoldIds: idsToNotify(ctx, mentionedIds).filter(
          (userId) => comment.untoldIds.includes(userId) || !comment.mentionedIds.includes(userId),
        ),
        editedAt: ctx.now,
      },
    });
    recordChange(record, "COMMENT_EDITED", id, { id: comment.contractId, title: comment.title });
  });
}

const sameSet = (one: string[], other: string[]) => {
  const [a, b] = [new Set(one), new Set(other)];
  return a.size === b.size && other.every((each) => a.has(each));
};

/** Resolves a thread, or reopens it. */
export async function setResolved(ctx: Context, id: string, isResolved: boolean): Promise<void> {
  await change(ctx, async (tx, record) => {
    const { threadId, contractId, title, isResolved: was } = await lockThread(tx, ctx, id);
    if (was === isResolved) return;
    await tx.comment.update({
      where: { organizationId_id: { ...own(ctx), id: threadId } },
      data: isResolved
        ? { resolvedAt: ctx.now, resolvedById: ctx.actor.id }
        : { resolvedAt: null, resolvedById: null },
    });
    recordChange(
      record,
      "COMMENT_RESOLVED",
      threadId,
      { id: contractId, title },
      { resolved: { from: was, to: isResolved } },
    );
  });
}

/** Deletes a comment: members their own, owners and admins any. A first comment with replies only loses its text. */
export async function deleteComment(ctx: Context, id: string): Promise<void> {
  await change(ctx, async (tx, record) => {
    const comment = await lockThread(tx, ctx, id);
    if (comment.authorId !== ctx.actor.id && !isModerator(ctx)) {
      throw new Refusal("forbidden", "Only a comment's author, an owner or an admin can delete it.");
    }
    const { threadId, contractId, title } = comment;
    const ofThread = { ...own(ctx), threadId };
    const replies = await tx.comment.count({ where: { ...ofThread, id: { not: threadId } } });
    if (id === threadId && replies > 0) {
      await tx.comment.update({
        where: { organizationId_id: { ...own(ctx), id } },
        data: { text: "", quote: null, mentionedIds: [], untoldIds: [], deletedAt: ctx.now },
      });
    } else {
      await tx.comment.delete({ where: { organizationId_id: { ...own(ctx), id } } });
      if (replies === 1)
        await tx.comment.deleteMany({ where: { ...ofThread, id: threadId, deletedAt: { not: null } } });
    }
    recordChange(record, "COMMENT_DELETED", id, { id: contractId, title });
  });
}

function isModerator({ actor }: Context): boolean {
  return actor.kind === "user" && (actor.role === "owner" || actor.role === "admin");
}

interface Locked {
  id: string;
  threadId: string;
  contractId: string;
  title: string;
  authorId: string;
  text: string;
  mentionedIds: string[];
  untoldIds: string[];
  isResolved: boolean;
}

/** Reads a comment and locks its thread until the commit against replies, resolving and deletion. */
async function lockThread(tx: Transaction, ctx: Context, id: string): Promise<Locked> {
  await tx.$queryRaw`SELECT 1 AS locked FROM comments t WHERE t.organization_id = ${ctx.organizationId}
    AND t.id = (SELECT m.thread_id FROM comments m WHERE m.organization_id = ${ctx.organizationId} AND m.id = ${id})
    FOR UPDATE`;
  const [found] = await select<Locked>(
    `SELECT m.id, m.thread_id AS "threadId", m.contract_id AS "contractId", c.title, m.author_id AS "authorId",
       m.text, m.mentioned_ids AS "mentionedIds", m.untold_ids AS "untoldIds", t.resolved_at IS NOT NULL AS "isResolved"
     FROM comments m JOIN comments t ON t.organization_id = m.organization_id AND t.id = m.thread_id
     JOIN contracts c ON c.organization_id = m.organization_id AND c.id = m.contract_id
     WHERE m.organization_id = $1 AND m.id = $2 AND m.deleted_at IS NULL`,
    [ctx.organizationId, id],
  );
  if (!found) throw notFound("comment");
  return found;
}

async function expectCapacity(
  ctx: Context,
  contractId: string,
  threadId: string | null = null,
): Promise<void> {
  const [kept] = await select<{ ofContract: number; ofThread: number }>(
    `SELECT count(*)::int AS "ofContract", (count(*) FILTER (WHERE thread_id = $3::text))::int AS "ofThread"
     FROM comments WHERE organization_id = $1 AND contract_id = $2`,
    [ctx.organizationId, contractId, threadId],
  );
  if ((kept?.ofContract ?? 0) >= maxComments) {
    throw new Refusal("conflict", `A contract can have at most ${maxComments} comments. Delete some first.`);
  }
  if ((kept?.ofThread ?? 0) > maxReplies) {
    throw new Refusal("conflict", `A thread can have at most ${maxReplies} replies. Start another one.`);
  }
}

/** Refuses mentions of people who are not members. Those who were mentioned `before` may have left since. */
async function expectMembers(ctx: Context, userIds: string[], before: string[] = []): Promise<void> {
  if (userIds.length === 0) return;
  const rows = await select<{ userId: string }>(
    `SELECT user_id AS "userId" FROM members
     WHERE organization_id = $1 AND user_id = ANY($2::text[]) AND removed_at IS NULL`,
    [ctx.organizationId, userIds],
  );
  const known = new Set([...rows.map(({ userId }) => userId), ...before]);
  const wrong = userIds.findIndex((userId) => !known.has(userId));
  if (wrong !== -1)
    throw invalid({ path: `mentions.${wrong}`, message: "is not a member of this workspace" });
}

async function expectPage(
  ctx: Context,
  contractId: string,
  { versionId, page }: NonNullable<NewComment["passage"]>,
): Promise<void> {
  const [version] = await select<{ pageCount: number | null }>(
    `SELECT page_count AS "pageCount" FROM document_versions
     WHERE organization_id = $1 AND id = $2 AND contract_id = $3`,
    [ctx.organizationId, versionId, contractId],
  );
  if (!version) throw invalid({ path: "passage.versionId", message: "is not a version of this contract" });
  if (page > (version.pageCount ?? 0))
    throw invalid({ path: "passage.page", message: "is not a page of this version" });
}

function recordChange(
  record: Recorder,
  action: Action,
  id: string,
  { id: contractId, title }: { id: string; title: string },
  changes?: Record<string, { from: unknown; to: unknown }>,
): void {
  record({ action, target: { type: "comment", id }, contract: { id: contractId, title }, changes });
}
