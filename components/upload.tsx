"use client";
/** Sending a file: how far it is, how to stop it, and in plain words why it was refused. */
import { CircleAlert, RotateCw, X } from "lucide-react";
import { useRef, useState } from "react";
import { issueInWords, problemOf } from "#components/problem.ts";
import { useInvalidate } from "#components/query.tsx";
import { Progress } from "#components/ui/bits.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { ApiProblem, type OperationName, type OutputOf, type Upload } from "#lib/doors/client.ts";
import { type Accepts, documents, unfit } from "./accepted-files.ts";
import { useDoor } from "./door.tsx";
import { useOnce } from "./once.ts";

export type UploadState =
  | { kind: "idle" }
  | { kind: "sending"; fileName: string; sentBytes: number; totalBytes: number }
  | { kind: "refused"; fileName: string; problem: ApiProblem };

/** An upload as whoever watches it sees it, whatever is made of the file. */
interface Watched {
  state: UploadState;
  cancel(): void;
  again(): Promise<unknown>;
  clear(): void;
}

export interface Uploading<Name extends OperationName> extends Watched {
  /** Answers null where it was refused or stopped; `state` then says why. */
  send(file: File, data: Upload<Name>["data"]): Promise<OutputOf<Name> | null>;
}

export function useUpload<Name extends OperationName>(
  name: Name,
  invalidates: Parameters<ReturnType<typeof useInvalidate>>[0],
  accepts: Accepts = documents,
): Uploading<Name> {
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const sending = useRef<AbortController | null>(null);
  const last = useRef<{ file: File; data: Upload<Name>["data"] } | null>(null);
  const invalidate = useInvalidate();
  const door = useDoor();
  const once = useOnce<unknown, OutputOf<Name>>();
  const transfer = (file: File, data: Upload<Name>["data"], key: string) => {
    const stop = new AbortController();
    sending.current = stop;
    const tell = (sentBytes: number, totalBytes: number) =>
      setState({ kind: "sending", fileName: file.name, sentBytes, totalBytes });
    tell(0, file.size);
    return door.upload(name, { file, data, onProgress: tell, signal: stop.signal, key });
  };
  const send: Uploading<Name>["send"] = async (file, data) => {
    last.current = { file, data };
    try {
      const why = await unfit(file, accepts);
      if (why !== null) throw new ApiProblem("validation_error", why);
      const { name: fileName, size, lastModified } = file;
      const made = await once({ fileName, size, lastModified, data }, (key) => transfer(file, data, key));
      setState({ kind: "idle" });
      void invalidate(invalidates);
      return made;
    } catch (error) {
      const isStopped = (error as Error).name === "AbortError";
      setState(
        isStopped ? { kind: "idle" } : { kind: "refused", fileName: file.name, problem: problemOf(error) },
      );
      return null;
    }
  };
  return {
    state,
    send,
    cancel: () => sending.current?.abort(),
    again: async () => (last.current ? send(last.current.file, last.current.data) : null),
    clear: () => setState({ kind: "idle" }),
  };
}

/** A refusal as sentences; each thing wrong with the file is one. */
export function refusalSentences({ code, issues, message }: ApiProblem): string[] {
  if (code === "file_too_large") return ["It is larger than 50 MB, the limit for documents."];
  if (issues.length === 0) return [message];
  return issues.map((issue) => {
    const sentence = issueInWords(issue);
    return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
  });
}

/** What stands where the file was dropped, until it is done. */
export function UploadStatus({ upload: { state, cancel, again, clear } }: { upload: Watched }) {
  if (state.kind === "idle") return null;
  if (state.kind === "sending") {
    const share = state.totalBytes > 0 ? state.sentBytes / state.totalBytes : 0;
    return (
      <div className="flex items-center gap-3 rounded-lg border border-line px-4 py-3">
        <div className="min-w-0 flex-1">
          <p className="truncate">
            <span className="font-medium">{state.fileName}</span>{" "}
            <span className="text-quiet tabular-nums">
              {share < 1 ? `${Math.floor(share * 100)} % sent` : "is being checked"}
            </span>
          </p>
          <div className="mt-1.5">
            <Progress label={`Sending ${state.fileName}`} {...(share < 1 ? { value: share } : {})} />
          </div>
        </div>
        <Button size="sm" onClick={cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-lg bg-tone-bad px-4 py-3 text-on-bad">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{state.fileName} was not added</p>
        {refusalSentences(state.problem).map((sentence) => (
          <p key={sentence} className="break-words">
            {sentence}
          </p>
        ))}
        {state.problem.status >= 500 && state.problem.requestId && (
          <CopyText label="Request" text={state.problem.requestId} className="mt-1" />
        )}
      </div>
      {["unreachable", "unavailable"].includes(state.problem.code) && (
        <Button size="sm" onClick={() => void again()}>
          <RotateCw aria-hidden />
          Send again
        </Button>
      )}
      <IconButton label="Dismiss" size="sm" onClick={clear} className="!text-on-bad">
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
