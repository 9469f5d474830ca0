"use client";
import { FileStack } from "lucide-react";
import dynamic from "next/dynamic";
import { useMay } from "#components/session.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";

/** The forms' library and the schema come after the page, which is there without them. */
const NewContractForm = dynamic(() => import("./new-contract.tsx").then((module) => module.NewContractForm));

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
