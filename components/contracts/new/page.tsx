"use client";
import { FileStack } from "lucide-react";
import { useMay } from "#components/session.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SkeletonRows } from "#components/ui/states.tsx";
import type { Amended } from "./creation.ts";

/** Loaded after the page has rendered, because it includes the form library and the schema. */
const NewContractForm = lazily(() => import("./form.tsx").then((module) => module.NewContractForm), {
  loading: () => <SkeletonRows label="Loading the form" />,
  isMain: true,
});

export function NewContractPage({ amended }: { amended: Amended | null }) {
  const may = useMay();
  return (
    <div className="mx-auto max-w-2xl px-4 py-6 md:px-6">
      <PageHeader
        title={amended ? "New amendment" : "New contract"}
        crumbs={[
          { label: "Contracts", href: "/contracts" },
          ...(amended ? [{ label: amended.title, href: `/contracts/${amended.id}` }] : []),
        ]}
        actions={
          may("templates:read") && (
            <ButtonLink href="/templates">
              <FileStack aria-hidden />
              From a template
            </ButtonLink>
          )
        }
      />
      <NewContractForm amended={amended} />
    </div>
  );
}
