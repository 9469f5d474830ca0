"use client";
/** Uploads files, with progress, canceling, and errors in plain words. */
import { CircleAlert, RotateCw, X } from "lucide-react";
import { useRef, useState } from "react";
import { issueInWords, problemOf } from "#components/problem.ts";
import { useInvalidate } from "#components/query.tsx";
import { Progress } from "#components/ui/bits.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { ApiProblem, type OperationName, type OutputOf, type Upload } from "#lib/doors/client.ts";
import { type Accepts, documents, whyRejected } from "./accepted-files.ts";
import { isUnreachable } from "./connection.ts";
import { useDoor } from "./door.tsx";
import { useOnce } from "./once.ts";

export type UploadState =
  | { kind: "idle" }
  | { kind: "sending"; fileName: string; sentBytes: number; totalBytes: number };

/** A file that was refused, with the actions to retry or to dismiss it. */
interface Refusal {
  fileName: string;
  problem: ApiProblem;
  retry(): void;
  dismiss(): void;
}

/** The visible part of an upload, whatever its operation is. */
interface ShownUpload {
  state: UploadState;
  refusals: readonly Refusal[];
  cancel(): void;
  /** Clears the refusals. */
  clear(): void;
}

export interface Uploading<Name extends OperationName> extends ShownUpload {
  /** Resolves to null if the file was refused (`refusals` say why) or cancelled. Files are sent one after the other. */
  send(file: File, data: Upload<Name>["data"]): Promise<OutputOf<Name> | null>;
}

interface UploadOptions<Name extends OperationName> {
  invalidates: Parameters<ReturnType<typeof useInvalidate>>[0];
  accepts?: Accepts;
  /** Called once the file has been accepted, even if it had to be sent again. */
  onSent?(made: OutputOf<Name>): void;
  /** Whether each file is one of several, so that the refusals of others stay. */
  several?: boolean;
}

export function useUpload<Name extends OperationName>(
  name: Name,
  { invalidates, accepts = documents, onSent, several = false }: UploadOptions<Name>,
): Uploading<Name> {
  /**
   * A file to send. It has a key if it may have arrived already: sent again with that key, it counts as the
   * same request.
   */
  type Sent = { file: File; data: Upload<Name>["data"]; key?: string };
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const [refused, setRefused] = useState<(Sent & { problem: ApiProblem })[]>([]);
  const sending = useRef<AbortController | null>(null);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const invalidate = useInvalidate();
  const door = useDoor();
  const once = useOnce<unknown, OutputOf<Name>>();
  const transfer = (file: File, data: Upload<Name>["data"], key: string) => {
    const stop = new AbortController();
    sending.current = stop;
    const reportProgress = (sentBytes: number, totalBytes: number) =>
      setState({ kind: "sending", fileName: file.name, sentBytes, totalBytes });
    reportProgress(0, file.size);
    return door.upload(name, { file, data, onProgress: reportProgress, signal: stop.signal, key });
  };
  const attempt = async ({ file, data, key: before }: Sent): Promise<OutputOf<Name> | null> => {
    let key = before ?? "";
    setRefused((others) => (several ? others.filter((one) => one.file.name !== file.name) : []));
    try {
      const why = await whyRejected(file, accepts);
      if (why !== null) throw new ApiProblem("validation_error", why);
      const { name: fileName, size, lastModified } = file;
      const made = await once({ fileName, size, lastModified, data }, (fresh) => {
        key ||= fresh;
        return transfer(file, data, key);
      });
      void invalidate(invalidates);
      return made;
    } catch (error) {
      const isStopped = (error as Error).name === "AbortError";
      const sent = isUnreachable(error) ? { file, data, key } : { file, data };
      if (!isStopped) setRefused((others) => [...others, { ...sent, problem: problemOf(error) }]);
      return null;
    } finally {
      setState({ kind: "idle" });
    }
  };
  const enqueue = async (sent: Sent) => {
    const turn = last.current.then(() => attempt(sent));
    last.current = turn;
    const made = await turn;
    if (made) onSent?.(made);
    return made;
  };
  return {
    state,
    refusals: refused.map((one) => ({
      fileName: one.file.name,
      problem: one.problem,
      retry: () => void enqueue(one),
      dismiss: () => setRefused((others) => others.filter((other) => other !== one)),
    })),
    send: (file, data) => enqueue({ file, data }),
    cancel: () => sending.current?.abort(),
    clear: () => setRefused([]),
  };
}

/** Returns a refusal as sentences, one for each problem with the file. */
export function refusalSentences({ code, issues, message }: ApiProblem): string[] {
  if (code === "file_too_large") return ["It is larger than what is accepted here. Choose a smaller file."];
  if (issues.length === 0) return [message];
  return issues.map((issue) => {
    const sentence = issueInWords(issue);
    return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  });
}

/** The progress and the refusals of an upload, shown next to where the file was dropped. */
export function UploadStatus({ upload: { state, refusals, cancel } }: { upload: ShownUpload }) {
  return (
    <>
      {refusals.map((refusal) => (
        <Refused key={refusal.fileName} {...refusal} />
      ))}
      {state.kind === "sending" && <Sending {...state} onCancel={cancel} />}
    </>
  );
}

type SendingProps = Extract<UploadState, { kind: "sending" }> & { onCancel(): void };

function Sending({ fileName, sentBytes, totalBytes, onCancel }: SendingProps) {
  const share = totalBytes > 0 ? sentBytes / totalBytes : 0;
  return (
    <div className="flex items-center gap-3 rounded-lg border border-line px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="truncate">
          <span className="font-medium">{fileName}</span>{" "}
          <span className="text-quiet tabular-nums">
            {share < 1 ? `${Math.floor(share * 100)} % sent` : "is being checked"}
          </span>
        </p>
        <div className="mt-1.5">
          <Progress label={`Sending ${fileName}`} {...(share < 1 ? { value: share } : {})} />
        </div>
      </div>
      <Button size="sm" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function Refused({ fileName, problem, retry, dismiss }: Refusal) {
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-lg bg-tone-bad px-4 py-3 text-on-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{fileName} was not added</p>
        {refusalSentences(problem).map((sentence) => (
          <p key={sentence} className="break-words">
            {sentence}
          </p>
        ))}
        {problem.status >= 500 && problem.requestId && (
          <CopyText label="Request" text={problem.requestId} className="mt-1" />
        )}
      </div>
      {["unreachable", "unavailable"].includes(problem.code) && (
        <Button size="sm" onClick={retry}>
          <RotateCw aria-hidden />
          Send again
        </Button>
      )}
      <IconButton label="Dismiss" size="sm" onClick={dismiss} className="!text-on-bad">
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
