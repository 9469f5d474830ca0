"use client";
/** The page of all templates: searches and uses them, and creates them from a DOCX. */
import { FileStack, Plus, SearchX } from "lucide-react";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useOpenedByAddress } from "#components/opened-by-address.ts";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { usePageDrop } from "#components/ui/file-drop.tsx";
import { SearchInput } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { ActionsTh, Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { Ago } from "#components/ui/time.tsx";
import { useOnlyFirst } from "#components/uploads/dropped.ts";
import { counted, inWords } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";

const UploadDialog = lazily(() => import("./upload-dialog.tsx").then((module) => module.UploadDialog));

export type TemplateDetail = OutputOf<"templates.listAll">["data"][number];

export function TemplatesPage() {
  const may = useMay();
  const mayWrite = may("templates:write");
  const [{ q, archived }, set] = useQueryStates({
    q: parseAsString.withDefault(""),
    archived: parseAsBoolean.withDefault(false),
  });
  const { data, error, refetch } = useOperation("templates.listAll", {});
  const [uploading, setUploading] = useState<File | true | null>(null);
  useOpenedByAddress(() => setUploading(mayWrite || null));
  const onlyFirst = useOnlyFirst();
  usePageDrop(mayWrite && uploading === null ? (files) => setUploading(onlyFirst(files)) : null);
  const all = data?.data ?? [];
  const shown = all
    .filter(({ archivedAt }) => (archivedAt !== null) === archived)
    .filter(({ name, description }) =>
      `${name} ${description ?? ""}`.toLowerCase().includes(q.trim().toLowerCase()),
    );
  const hasArchived = all.some(({ archivedAt }) => archivedAt !== null);
  const newTemplate = mayWrite && (
    <Button variant="primary" onClick={() => setUploading(true)}>
      <Plus aria-hidden />
      New template
    </Button>
  );
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader title="Templates" actions={all.length > 0 && newTemplate} />
        {all.length > 0 && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <SearchInput
              label="Search templates"
              className="w-full sm:w-72"
              value={q}
              onValue={(next) => void set({ q: next || null })}
            />
            {(hasArchived || archived) && (
              <Switch
                label="Show archived"
                checked={archived}
                onChange={({ target }) => void set({ archived: target.checked || null })}
              />
            )}
          </div>
        )}
      </div>
      <div className="border-line border-t">
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Loading templates" rows={6} />
        ) : all.length === 0 ? (
          <EmptyState icon={FileStack} title="No templates yet" action={newTemplate}>
            A template is a Word document with tags such as {"{counterparty_name}"} for what changes and{" "}
            {"{#insurance} … {/insurance}"} around clauses that may be left out. Contracts are created from it
            by filling in a form.
          </EmptyState>
        ) : shown.length === 0 ? (
          <EmptyState
            icon={SearchX}
            title={archived ? "No archived templates" : "No results"}
            action={<Button onClick={() => void set({ q: null, archived: null })}>Show all</Button>}
          />
        ) : (
          <TemplatesTable templates={shown} />
        )}
      </div>
      {uploading !== null && (
        <UploadDialog first={uploading === true ? null : uploading} onClose={() => setUploading(null)} />
      )}
    </>
  );
}

function TemplatesTable({ templates }: { templates: TemplateDetail[] }) {
  const may = useMay();
  return (
    <Table label="Templates">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th className="max-sm:hidden">Type</Th>
          <Th className="max-md:hidden">Asks for</Th>
          <Th className="max-md:hidden">Changed</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <Tr key={template.id} className="relative">
            <Td className="max-w-0 sm:w-1/2">
              <NameLink href={`/templates/${template.id}`} className="block truncate">
                {template.name}
              </NameLink>
              {template.description && (
                <span className="block truncate text-quiet text-xs">{template.description}</span>
              )}
            </Td>
            <Td className="whitespace-nowrap max-sm:hidden">
              <Badge>{inWords(template.contractType)}</Badge>
            </Td>
            <Td className="whitespace-nowrap text-quiet max-md:hidden">
              {counted(template.variables.length, "value")}, {counted(template.sections.length, "clause")}
            </Td>
            <Td className="whitespace-nowrap text-quiet max-md:hidden">
              <Ago value={template.updatedAt} />
            </Td>
            <Td className="w-0 text-right">
              {template.archivedAt === null && may("contracts:write") && (
                <ButtonLink size="sm" href={`/templates/${template.id}/use`}>
                  Use<span className="sr-only"> {template.name}</span>
                </ButtonLink>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
