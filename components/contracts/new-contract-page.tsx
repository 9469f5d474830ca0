"use client";
import { FileStack } from "lucide-react";
import dynamic from "next/dynamic";
import { useMay } from "#components/session.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/states.tsx";

/** With the forms' library and the schema, which the page's frame does not wait for. */
const NewContractForm = dynamic(() => import("./new-contract.tsx").then((module) => module.NewContractForm), {
  ssr: false,
  loading: () => (
    <div role="status" aria-label="Loading the form …" className="mt-6 grid gap-6">
      <Skeleton className="h-8 w-full" />
      <Skeleton className="h-8 w-full" />
      <Skeleton className="h-8 w-2/3" />
    </div>
  ),
});

export function NewContractPage() {
  const may = useMay();
  return (
    <div className="mx-auto max-w-2xl px-4 py-6 md:px-6">
      <PageHeader
        title="New contract"
        crumbs={[{ label: "Contracts", href: "/contracts" }]}
        actions={
          may("templates:read") && (
            <ButtonLink href="/templates">
              <FileStack aria-hidden />
              From a template
            </ButtonLink>
          )
        }
      />
      <NewContractForm />
    </div>
  );
}
