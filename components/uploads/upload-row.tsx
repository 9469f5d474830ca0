"use client";
/** A file of the upload: its progress, the result, and the available actions. */
import { Check, CircleAlert, Copy, FileText, FileX, SkipForward } from "lucide-react";
import { memo, type ReactNode } from "react";
import { sizeText, titleFrom } from "#components/documents/words.ts";
import { useDoor } from "#components/door.tsx";
import { useAct } from "#components/query.tsx";
import { Progress } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { refusalSentences } from "#components/upload.tsx";
import type { Upload } from "#lib/uploads/schema.ts";
import { type RejectedFile, type Transfer, uploadQueue } from "./queue.ts";

/** The cached reads that a member's decision invalidates. */
export const invalidatedByUpload = ["uploads", "contracts", "home"] as const;

interface LineProps {
  path: string;
  icon: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

function Line({ path, icon, children, actions }: LineProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-line border-b px-4 py-2.5 last:border-b-0">
      <span className="mt-0.5 [&_svg]:size-4">{icon}</span>
      <div className="min-w-0 flex-1 basis-48">
        <p className="wrap-anywhere font-medium">{path}</p>
        <div className="wrap-anywhere text-quiet text-xs">{children}</div>
      </div>
      {actions && <div className="flex shrink-0 gap-2">{actions}</div>}
    </li>
  );
}

export interface UploadRowProps {
  upload: Upload;
  transfer: Transfer | undefined;
}

export const UploadRow = memo(function UploadRow({ upload, transfer }: UploadRowProps) {
  const { path, state, contract } = upload;
  if (transfer?.kind === "refused") return <RefusedRow upload={upload} transfer={transfer} />;
  if (transfer) return <SendingRow upload={upload} transfer={transfer} />;
  if (state === "DUPLICATE") return <DuplicateRow upload={upload} />;
  if (state === "MISSING") {
    return (
      <Line
        path={path}
        icon={<FileX aria-hidden className="text-faint" />}
        actions={<SkipButton upload={upload} />}
      >
        {sizeText(upload.sizeBytes)}
      </Line>
    );
  }
  if (state === "SKIPPED") {
    return (
      <Line path={path} icon={<SkipForward aria-hidden className="text-faint" />}>
        No contract was created.
      </Line>
    );
  }
  return (
    <Line path={path} icon={<Check aria-hidden className="text-on-good" />}>
      {contract ? (
        <Link href={`/contracts/${contract.id}`}>{contract.title}</Link>
      ) : (
        "Its contract has since been deleted."
      )}
    </Line>
  );
});

function SendingRow({ upload, transfer }: { upload: Upload; transfer: Transfer }) {
  const share = transfer.kind === "sending" ? transfer.share : null;
  return (
    <Line path={upload.path} icon={<FileText aria-hidden className="text-accent" />}>
      {share === null ? (
        "Waiting for its turn"
      ) : (
        <>
          <span className="tabular-nums">
            {share < 1 ? `${Math.floor(share * 100)} % sent` : "Being read"}
          </span>
          <span className="mt-1 block">
            <Progress label={`Sending ${upload.path}`} {...(share < 1 ? { value: share } : {})} />
          </span>
        </>
      )}
    </Line>
  );
}

function RefusedRow({ upload, transfer }: { upload: Upload; transfer: Transfer & { kind: "refused" } }) {
  const door = useDoor();
  return (
    <Line
      path={upload.path}
      icon={<CircleAlert aria-hidden className="text-danger" />}
      actions={
        <>
          <Button
            size="sm"
            aria-label={`Try again: ${upload.path}`}
            onClick={() => uploadQueue.retry(upload.id, door)}
          >
            Try again
          </Button>
          <SkipButton upload={upload} />
        </>
      }
    >
      {refusalSentences(transfer.problem).join(" ")}
    </Line>
  );
}

function DuplicateRow({ upload }: { upload: Upload }) {
  const { id, path, contract } = upload;
  const create = useAct("uploads.createDuplicate", { invalidates: invalidatedByUpload });
  return (
    <Line
      path={path}
      icon={<Copy aria-hidden className="text-on-warn" />}
      actions={
        <>
          <Button
            size="sm"
            busy={create.isRunning}
            aria-label={`Create anyway: ${path}`}
            onClick={() => void create.run({ id, title: titleOf(path) }).catch(() => null)}
          >
            Create anyway
          </Button>
          <SkipButton upload={upload} />
        </>
      }
    >
      {contract ? (
        <>
          The same document is in <Link href={`/contracts/${contract.id}`}>{contract.title}</Link>.
        </>
      ) : (
        "Another contract has the same document."
      )}
    </Line>
  );
}

const titleOf = (path: string) => titleFrom(path.slice(path.lastIndexOf("/") + 1)) || "Untitled";

function SkipButton({ upload: { id, path } }: { upload: Upload }) {
  const skip = useAct("uploads.skip", { invalidates: ["uploads"] });
  return (
    <Button
      size="sm"
      busy={skip.isRunning}
      aria-label={`Skip: ${path}`}
      onClick={() => {
        uploadQueue.drop(id);
        void skip.run({ ids: [id] }).catch(() => null);
      }}
    >
      Skip
    </Button>
  );
}

/** A chosen file that cannot be uploaded, and why. */
export function RejectedRow({ rejected: { path, why } }: { rejected: RejectedFile }) {
  return (
    <Line path={path} icon={<CircleAlert aria-hidden className="text-danger" />}>
      {why}
    </Line>
  );
}
