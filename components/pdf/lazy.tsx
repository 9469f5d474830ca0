"use client";
/** The viewer, loaded when there is something to view: it and pdf.js weigh more than the rest of a page. */
import dynamic from "next/dynamic";
import { Skeleton } from "#components/ui/states.tsx";

export const PdfViewer = dynamic(() => import("./viewer.tsx").then((loaded) => loaded.PdfViewer), {
  ssr: false,
  loading: () => (
    <div
      role="status"
      aria-label="Loading the viewer …"
      className="grid justify-items-center gap-4 bg-well p-6"
    >
      <Skeleton className="h-96 w-full max-w-lg" />
    </div>
  ),
});
