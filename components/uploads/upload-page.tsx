"use client";
/**
 * Uploads many documents at once, each of which becomes a contract, and lists files of unfinished uploads.
 */
import { FileUp, FolderUp } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { acceptOf, documents } from "#components/accepted-files.ts";
import { useDoor } from "#components/door.tsx";
import { problemOf, refusalToast } from "#components/problem.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay, useRefusal } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { type ChosenFile, chosenFiles, droppedFiles } from "#components/ui/chosen-files.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { DropOverlay } from "#components/ui/drop-overlay.tsx";
import { type FilesHandler, usePageDrop } from "#components/ui/file-drop.tsx";
import { Link } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { takeDroppedTogether } from "./dropped.ts";
import { maxFiles, uploadQueue, useUploadQueue } from "./queue.ts";
import { UploadFiles } from "./upload-files.tsx";
import { useRefetchWhenSent } from "./upload-notice.tsx";

export function UploadPage() {
  const may = useMay()("contracts:write");
  const refusal = useRefusal()("contracts:write");
  const { data, error, refetch } = useOperation("uploads.list", {});
  useRefetchWhenSent();
  const { add, addDropped } = useAdd();
  const { rejected } = useUploadQueue();
  const isOver = usePageDrop(may ? addDropped : null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: takes files dropped on the previous page, once.
  useEffect(() => {
    const dropped = takeDroppedTogether();
    if (dropped && may) addDropped(...dropped);
  }, []);
  const uploads = data?.data ?? [];
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6 md:px-6">
      <PageHeader
        title="Upload documents"
        crumbs={[{ label: "Contracts", href: "/contracts" }]}
        description="Each PDF or Word document becomes a contract. Its title, type and counterparty are read from it where it says them; dates are proposed on the contract’s page."
        actions={may && uploads.length + rejected.length > 0 && <ClearButton missing={open(uploads)} />}
      />
      {may ? <Choose onFiles={(files) => void add(files)} /> : <p className="text-quiet">{refusal}</p>}
      {may && (
        <p className="text-quiet">
          Contracts in a spreadsheet? <Link href="/contracts/import">Import a CSV</Link>.
        </p>
      )}
      {error && !data ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      ) : data ? (
        <UploadFiles uploads={uploads} />
      ) : (
        <SkeletonRows rows={4} label="Loading your upload" />
      )}
      {isOver && <DropOverlay>Drop them to create contracts</DropOverlay>}
    </div>
  );
}

const open = (uploads: { state: string }[]) =>
  uploads.filter(({ state }) => state === "MISSING" || state === "DUPLICATE").length;

/** Returns functions that add chosen or dropped files to the list, and report a refusal. */
function useAdd(): { add(chosen: ChosenFile[]): Promise<void>; addDropped: FilesHandler } {
  const door = useDoor();
  const toast = useToast();
  const add = async (chosen: ChosenFile[]) => {
    if (chosen.length > maxFiles) {
      toast({
        tone: "failed",
        title: "Too many files at once",
        detail: `Choose at most ${counted(maxFiles, "file")}. None was added.`,
      });
      return;
    }
    await uploadQueue.add(chosen, door).catch((error) => toast(refusalToast(problemOf(error))));
  };
  /** The toast for files or folders that were moved, or that the browser cannot read. */
  const unreadable = {
    tone: "failed",
    title: "What was dropped could not be read",
    detail: "None of it was added. Try again, or choose the files one by one.",
  } as const;
  return {
    add,
    addDropped: (files, folders) =>
      void droppedFiles(files, folders, maxFiles).then(add, () => toast(unreadable)),
  };
}

function Choose({ onFiles }: { onFiles(files: ChosenFile[]): void }) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-edge border-dashed bg-paper px-4 py-6 text-center">
      <p>
        <span className="font-medium">Drop files or a folder here</span>
        <span className="block text-quiet text-xs">
          PDF or DOCX of at most 50 MB each, at most {counted(maxFiles, "file")}.
        </span>
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <ChooseButton label="Choose files" icon={<FileUp aria-hidden />} onFiles={onFiles} />
        <ChooseButton label="Choose a folder" icon={<FolderUp aria-hidden />} folder onFiles={onFiles} />
      </div>
    </div>
  );
}

interface ChooseButtonProps {
  label: string;
  icon: ReactNode;
  folder?: boolean;
  onFiles(files: ChosenFile[]): void;
}

function ChooseButton({ label, icon, folder = false, onFiles }: ChooseButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        {icon}
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        {...(folder ? { webkitdirectory: "" } : { accept: acceptOf(documents) })}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const files = chosenFiles(target.files ?? []);
          // So that choosing the same files again also fires a change event.
          target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}

function ClearButton({ missing }: { missing: number }) {
  const [isAsking, setAsking] = useState(false);
  const clear = useAct("uploads.clear", { invalidates: ["uploads"] });
  const run = async () => {
    uploadQueue.dropAll();
    await clear.run({});
  };
  return (
    <>
      <Button
        busy={clear.isRunning}
        onClick={() => (missing > 0 ? setAsking(true) : void run().catch(() => null))}
      >
        Clear the list
      </Button>
      {isAsking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title="Clear the list?"
          description={`${counted(missing, "file")} ${missing === 1 ? "has" : "have"} no contract yet and will not be asked for again. Contracts that were created stay.`}
          action="Clear the list"
          onConfirm={run}
        />
      )}
    </>
  );
}
