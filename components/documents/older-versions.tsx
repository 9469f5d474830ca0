"use client";
import { useOperation } from "#components/query.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { useProgress } from "./progress.ts";
import { VersionRow } from "./version-row.tsx";

/** Rows of the versions that were not loaded with the page. */
export function OlderVersions({ contractId, from, to }: { contractId: string; from: number; to: number }) {
  const { data, error, refetch } = useOperation("versions.list", { id: contractId });
  const { progress } = useProgress(contractId);
  if (!data) {
    return (
      <li>
        {error ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : (
          <SkeletonRows label="Loading older versions" rows={3} />
        )}
      </li>
    );
  }
  return data.data
    .slice(from, to)
    .map((version, index) => (
      <VersionRow
        key={version.id}
        version={version}
        progress={progress.get(version.id)}
        earlier={data.data[from + index + 1]}
      />
    ));
}
