"use client";
/** Exports a list as CSV, and shows the progress. */
import { Download } from "lucide-react";
import { useState } from "react";
import { useDoor } from "#components/door.tsx";
import { problemOf, refusalToast } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { download } from "#components/ui/download.ts";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { ApiProblem } from "#lib/doors/client.ts";

export interface ExportButtonProps {
  /** The file name, such as `contracts.csv`. */
  file: string;
  /** The list's filters, as in its address. */
  query: string;
  /** What the rows are, such as "contract". */
  what: string;
}

/** The message if the download started but was not completed. */
const brokenOff = "Try again. Nothing was changed.";

export function ExportButton({ file, query, what }: ExportButtonProps) {
  const toast = useToast();
  const door = useDoor();
  const [share, setShare] = useState<number | null>(null);
  const run = async () => {
    setShare(0);
    try {
      const response = await door.download(`/api/member-files/${file}${query && `?${query}`}`);
      if (!response.body) throw new Error();
      const rows = Number(response.headers.get("x-row-count"));
      const parts: BlobPart[] = [];
      let seen = 0;
      for await (const part of response.body) {
        parts.push(part);
        for (const byte of part) if (byte === 10) seen += 1;
        setShare(Math.min(1, seen / Math.max(1, rows)));
      }
      saveBlob(new Blob(parts, { type: "text/csv" }), file);
      toast({ title: "Exported", detail: counted(rows, what) });
    } catch (error) {
      const why = error instanceof ApiProblem ? refusalToast(problemOf(error)).detail : brokenOff;
      toast({ tone: "failed", title: "The export failed", detail: why });
    } finally {
      setShare(null);
    }
  };
  return (
    <Button
      onClick={run}
      disabled={share !== null}
      aria-busy={share !== null || undefined}
      className="tabular-nums max-sm:hidden"
    >
      <Download aria-hidden />
      {share === null ? "Export CSV" : `${Math.round(share * 100)} %`}
    </Button>
  );
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  download(url, name);
  URL.revokeObjectURL(url);
}
