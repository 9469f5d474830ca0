"use client";
import { useOperation } from "#components/query.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";

const waiting = <SkeletonRows label="Loading the settings" rows={8} />;

const Editor = lazily(() => import("./editor.tsx").then((module) => module.Editor), {
  loading: () => waiting,
  isMain: true,
});

export function EditTemplatePage({ id }: { id: string }) {
  const { data, error, refetch } = useOperation("templates.readSettings", { id });
  if (error && !data) {
    return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  }
  if (!data) return waiting;
  return <Editor template={data.template} />;
}
