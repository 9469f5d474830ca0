"use client";
/** The viewer, loaded on demand: together with pdf.js it is larger than the rest of a page. */
import { lazily } from "#components/ui/lazily.tsx";
import { Skeleton } from "#components/ui/states.tsx";

export const PdfViewer = lazily(() => import("./viewer.tsx").then((loaded) => loaded.PdfViewer), {
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
