"use client";
/** A page where anyone can check a signed PDF. */
import { clsx } from "clsx";
import { FileCheck2, Upload } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { acceptOf, sealedDocuments, whyRejected } from "#components/accepted-files.ts";
import { problemOf } from "#components/problem.ts";
import { Progress } from "#components/ui/bits.tsx";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { upload } from "#lib/doors/client.ts";
import { type Verification, VerificationResult } from "./result.tsx";

interface Checked {
  fileName: string;
  verification: Verification;
}

export function VerifyPage() {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const stop = useRef<AbortController>(null);

  const check = async (file: File) => {
    setChecked(null);
    const why = await whyRejected(file, sealedDocuments);
    setTrouble(why);
    if (why !== null) return;
    setSent(0);
    stop.current = new AbortController();
    try {
      const { verification } = await upload("verification.check", {
        file,
        data: {},
        onProgress: (bytes, all) => setSent(bytes / all),
        signal: stop.current.signal,
      });
      setChecked({ fileName: file.name, verification });
    } catch (error) {
      if ((error as Error).name !== "AbortError") setTrouble(troubleOf(error));
    } finally {
      setSent(null);
    }
  };

  return (
    <div className="grid gap-6">
      {sent === null ? (
        <DropZone onFile={(file) => void check(file)} isAnother={checked !== null} />
      ) : (
        <div role="status" className="grid gap-3 rounded-xl border border-line bg-paper p-6">
          <p className="font-medium text-base">{sent < 1 ? "Sending the file …" : "Checking it …"}</p>
          <Progress label="Checking the file" value={sent < 1 ? sent : undefined} />
          <Button className="justify-self-start" onClick={() => stop.current?.abort()}>
            Cancel
          </Button>
        </div>
      )}
      <FormError>{trouble}</FormError>
      {checked && <VerificationResult {...checked} />}
    </div>
  );
}

function troubleOf(error: unknown): string {
  const { code, issues, message } = problemOf(error);
  if (code === "file_too_large") return "The file is larger than 64 MB: it was not signed here.";
  return issues.length > 0 ? `The file ${issues[0]?.message}.` : message;
}

function DropZone({ onFile, isAnother }: { onFile(file: File): void; isAnother: boolean }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  const input = useRef<HTMLInputElement>(null);
  const choose = () => {
    const file = input.current?.files?.[0];
    if (!file) return;
    // Otherwise, choosing the same file again would not trigger a change event.
    input.current!.value = "";
    onFile(file);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: for a file chosen before hydration.
  useEffect(choose, []);
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        "grid cursor-pointer justify-items-center gap-3 rounded-xl border-2 border-edge border-dashed px-6 text-center",
        "focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2",
        isOver ? "border-accent bg-accent-soft" : "bg-paper hover:border-accent",
        isAnother ? "py-6" : "py-12",
      )}
    >
      {!isAnother && (
        <span className="grid size-12 place-items-center rounded-xl bg-accent-soft text-accent">
          <FileCheck2 aria-hidden className="size-6" />
        </span>
      )}
      <span className="text-base text-quiet">
        {isAnother ? "Drop another PDF here" : "Drop a signed PDF here"}, or
      </span>
      <span className={buttonClass(isAnother ? "secondary" : "primary", "lg")}>
        <Upload aria-hidden /> Choose a PDF
      </span>
      <input
        ref={input}
        type="file"
        accept={acceptOf(sealedDocuments)}
        onChange={choose}
        className="sr-only"
      />
    </label>
  );
}
