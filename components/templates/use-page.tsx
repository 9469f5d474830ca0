"use client";
import { Archive } from "lucide-react";
import { useOperation } from "#components/query.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { UseForm } from "./use-form.tsx";

const waiting = <SkeletonRows label="Loading the template" rows={8} />;

export function UseTemplatePage({ id }: { id: string }) {
  const { data, error, refetch } = useOperation("templates.readSettings", { id });
  // The preview's renderer takes seconds to start, so start it while the user fills in the first fields.
  useOperation("templates.preparePreview", {});
  if (error && !data) {
    return <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />;
  }
  if (!data) return waiting;
  if (data.template.archivedAt !== null) {
    return (
      <EmptyState
        icon={Archive}
        title="This template is archived"
        action={<ButtonLink href={`/templates/${id}`}>Open the template</ButtonLink>}
      >
        No new contracts can be created from it until it is restored.
      </EmptyState>
    );
  }
  return <UseForm template={data.template} />;
}
