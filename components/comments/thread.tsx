"use client";
/** One thread: its passage, comments and actions. */
import { Check, MoreHorizontal, RotateCcw } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { readStored } from "#components/tab-storage.ts";
import { Avatar } from "#components/ui/bits.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { Ago } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { Comment, CommentThread } from "#lib/comments/schema.ts";
import { Composer } from "./composer.tsx";
import { type Mentioned, splitMentions } from "./mentions.ts";
import { passagePath } from "./passage.ts";

/** The cached reads that a comment invalidates. */
export const invalidatedByComment = ["comments", "contracts.activity", "auditEvents"] as const;

/** The number of latest replies to show at first; a button shows the others. */
const fewReplies = 10;

export interface ThreadProps {
  contractId: string;
  thread: CommentThread;
  /** Called after the thread was resolved or reopened, which removes it from the list. */
  onMoved(): void;
}

export function Thread({ contractId, thread, onMoved }: ThreadProps) {
  const { user } = useSession();
  const draftKey = `reply ${user.id} ${thread.id}`;
  const [replying, setReplying] = useState<"no" | "asked" | "recalled">("no");
  const isReplying = replying !== "no";
  // Restores a reply that was being written when someone else resolved or reopened the thread.
  useEffect(() => {
    if (readStored(draftKey) !== null) setReplying("recalled");
  }, [draftKey]);
  const acts = useFocusBack<HTMLDivElement>(isReplying);
  const [showsAll, setShowsAll] = useState(false);
  const may = useMay()("contracts:write");
  const reply = useAct("comments.reply", { invalidates: invalidatedByComment });
  const resolve = useAct("comments.resolve", { invalidates: invalidatedByComment });
  const reopen = useAct("comments.reopen", { invalidates: invalidatedByComment });
  const isResolved = thread.resolvedAt !== null;
  const toggle = isResolved ? reopen : resolve;
  const send = (words: Mentioned) => reply.run({ id: thread.replies.at(-1)?.id ?? thread.id, ...words });
  const move = async () => {
    await toggle.run({ id: thread.replies.at(-1)?.id ?? thread.id });
    onMoved();
  };
  const earlier = showsAll ? 0 : Math.max(0, thread.replies.length - fewReplies);
  const canReply = may && (thread.text !== null || thread.replies.length > 0);
  return (
    <article aria-label={`Thread of ${thread.author.name}`} className="grid gap-3 px-4 py-3.5">
      <Passage contractId={contractId} thread={thread} />
      <CommentItem comment={thread} />
      {earlier > 0 && (
        <Button size="sm" variant="quiet" className="justify-self-start" onClick={() => setShowsAll(true)}>
          Show {counted(earlier, "earlier reply", "earlier replies")}
        </Button>
      )}
      {thread.replies.length > 0 && (
        <ol className="grid gap-3 border-line border-l-2 pl-3">
          {thread.replies.slice(earlier).map((comment) => (
            <li key={comment.id}>
              <CommentItem comment={comment} />
            </li>
          ))}
        </ol>
      )}
      {isReplying && (
        <Composer
          label="Your reply"
          action="Reply"
          draftKey={draftKey}
          autoFocus={replying === "asked"}
          onSave={send}
          onDone={() => setReplying("no")}
          onCancel={() => setReplying("no")}
        />
      )}
      {!isReplying && (may || isResolved) && (
        <div ref={acts} className="flex flex-wrap items-center gap-2">
          {canReply && (
            <Button size="sm" variant="quiet" onClick={() => setReplying("asked")}>
              Reply
            </Button>
          )}
          {may && (
            <Button
              size="sm"
              variant="quiet"
              busy={toggle.isRunning}
              onClick={() => void move().catch(() => undefined)}
            >
              {isResolved ? <RotateCcw aria-hidden /> : <Check aria-hidden />}
              {isResolved ? "Reopen" : "Resolve"}
            </Button>
          )}
          {thread.resolvedBy && (
            <span className="min-w-0 text-quiet text-xs [overflow-wrap:anywhere]">
              Resolved by {thread.resolvedBy.name}
            </span>
          )}
        </div>
      )}
    </article>
  );
}

/** When an editor closes, moves the focus to the first button of what replaces it. */
function useFocusBack<Frame extends HTMLElement>(isEditing: boolean) {
  const frame = useRef<Frame>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (wasEditing.current && !isEditing && isLost) frame.current?.querySelector("button")?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return frame;
}

function Passage({
  contractId,
  thread: { version, page, quote },
}: {
  contractId: string;
  thread: CommentThread;
}) {
  if (!version || page === null) return null;
  return (
    <div className="min-w-0 border-accent border-l-2 pl-3 text-sm">
      {quote && (
        <blockquote className="line-clamp-3 text-quiet italic [overflow-wrap:anywhere]">{quote}</blockquote>
      )}
      <Link
        className="text-accent text-xs hover:underline"
        href={passagePath({ contractId, versionId: version.id, page, quote })}
      >
        Version {version.versionNumber}, page {page}
      </Link>
    </div>
  );
}

function CommentItem({ comment }: { comment: Comment }) {
  const { user } = useSession();
  const [isEditing, setEditing] = useState(false);
  const frame = useFocusBack<HTMLDivElement>(isEditing);
  const edit = useAct("comments.edit", { invalidates: invalidatedByComment });
  const { id, author, text, mentions, createdAt, editedAt } = comment;
  if (text === null) return <p className="text-faint italic">This comment was deleted.</p>;
  return (
    <div ref={frame} className="flex gap-2.5">
      <Avatar name={author.name} />
      <div className="min-w-0 flex-1">
        <p className="flex items-start gap-2">
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            <span className="font-medium">{author.name}</span>
            <span className="text-faint text-xs">
              {" · "}
              <Ago value={createdAt} />
              {editedAt !== null && " · edited"}
            </span>
          </span>
          {!isEditing && (
            <CommentMenu comment={comment} isOwn={author.id === user.id} onEdit={() => setEditing(true)} />
          )}
        </p>
        {isEditing ? (
          <Composer
            label="Your comment"
            action="Save"
            initial={{ text, mentions }}
            draftKey={`edit ${user.id} ${id}`}
            autoFocus
            onCancel={() => setEditing(false)}
            onSave={(words) => edit.run({ id, ...words })}
            onDone={() => setEditing(false)}
          />
        ) : (
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {splitMentions(text, mentions).map((piece, index) =>
              piece.isMention ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other key, and never move.
                <strong key={index} className="font-medium text-accent">
                  {piece.text}
                </strong>
              ) : (
                piece.text
              ),
            )}
          </p>
        )}
      </div>
    </div>
  );
}

function CommentMenu({ comment, isOwn, onEdit }: { comment: Comment; isOwn: boolean; onEdit(): void }) {
  const { role } = useSession();
  const may = useMay()("contracts:write");
  const remove = useAct("comments.remove", { invalidates: invalidatedByComment });
  const [isDeleting, setDeleting] = useState(false);
  const mayDelete = isOwn || role === "owner" || role === "admin";
  if (!may || !mayDelete) return null;
  return (
    <>
      <Menu
        align="end"
        label="Comment"
        trigger={
          <IconButton label={`More for the comment of ${comment.author.name}`} size="sm">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        {isOwn && <MenuItem onSelect={onEdit}>Edit</MenuItem>}
        <MenuItem danger onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Delete this comment?"
        description="Its text is removed for everyone."
        action="Delete the comment"
        onConfirm={() => remove.run({ id: comment.id })}
      />
    </>
  );
}
