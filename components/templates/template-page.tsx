"use client";
/** The page of a template: its variables and clauses, where it was used, and its history. */
import { Eye } from "lucide-react";
import { useState } from "react";
import { ContractStatusBadge } from "#components/contracts/status.tsx";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { useOperation } from "#components/query.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { PagePending } from "#components/ui/states.tsx";
import { Ago, DateTime } from "#components/ui/time.tsx";
import { counted, inWords } from "#components/words.ts";
import { TemplateActions } from "./template-actions.tsx";
import { TemplatePreview } from "./template-preview.tsx";
import type { TemplateDetail } from "./templates-page.tsx";
import { bindingLabel, controlWords, typeWords } from "./words.ts";

export function TemplatePage({ id }: { id: string }) {
  const reading = useOperation("templates.readSettings", { id });
  // The preview's renderer takes seconds to start, so start it while the user reads the page.
  useOperation("templates.preparePreview", {});
  const { data } = reading;
  if (!data) return <PagePending reading={reading} label="Loading the template" />;
  const { template } = data;
  return (
    <div className="mx-auto max-w-6xl px-4 pt-5 pb-12 md:px-6">
      <PageHeader
        title={template.name}
        badge={template.archivedAt && <Badge tone="warn">Archived</Badge>}
        crumbs={[{ label: "Templates", href: "/templates" }]}
        description={
          template.description && <p className="max-w-prose whitespace-pre-line">{template.description}</p>
        }
        actions={<TemplateActions template={template} />}
      />
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-1 content-start gap-8">
          <DocumentSection template={template} />
          <Variables template={template} />
          <Clauses template={template} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-8">
          <Facts template={template} />
          <Used id={id} />
          <History id={id} />
        </div>
      </div>
    </div>
  );
}

function DocumentSection({ template }: { template: TemplateDetail }) {
  const [shown, setShown] = useState(false);
  return (
    <Section title="Document" hint={template.fileName}>
      {shown ? (
        <TemplatePreview filling={{ templateId: template.id }} className="h-[70dvh]" />
      ) : (
        <Card className="flex flex-wrap items-center gap-3 px-4 py-3">
          <p className="min-w-0 flex-1 basis-56 text-quiet">
            As a PDF, with the default clauses and missing values shown as their labels.
          </p>
          {template.archivedAt === null && (
            <Button onClick={() => setShown(true)}>
              <Eye aria-hidden />
              Show the document
            </Button>
          )}
        </Card>
      )}
    </Section>
  );
}

function Variables({ template: { variables } }: { template: TemplateDetail }) {
  const customFields = useCustomFields();
  return (
    <Section title="Values" hint={counted(variables.length, "value")}>
      <Card>
        {variables.length === 0 ? (
          <p className="px-4 py-3 text-quiet">The document has no values to fill in.</p>
        ) : (
          <ul>
            {variables.map(({ key, label, type, required, binding, defaultValue, helpText }) => (
              <li key={key} className="border-line border-b px-4 py-2.5 last:border-b-0">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium">{label}</span>
                  <code className="break-all font-mono text-faint text-xs">{`{${key}}`}</code>
                  <span className="ml-auto text-quiet text-xs">
                    {typeWords[type]}
                    {required ? ", required" : ""}
                  </span>
                </p>
                {(binding || defaultValue || helpText) && (
                  <p className="text-quiet text-xs">
                    {[
                      binding && `From: ${bindingLabel(binding, customFields)}`,
                      defaultValue && `Default: ${defaultValue}`,
                      helpText,
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  );
}

function Clauses({ template: { sections, sectionGroups } }: { template: TemplateDetail }) {
  if (sections.length === 0) return null;
  const groupOf = new Map(sectionGroups.map(({ id, label }) => [id, label]));
  return (
    <Section title="Clauses" hint={counted(sections.length, "clause")}>
      <Card>
        <ul>
          {sections.map(({ tag, label, control, defaultOn, groupId, preview }) => (
            <li key={tag} className="border-line border-b px-4 py-2.5 last:border-b-0">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{label}</span>
                <code className="break-all font-mono text-faint text-xs">{`{#${tag}}`}</code>
                <span className="ml-auto text-quiet text-xs">
                  {groupId !== null
                    ? `One of “${groupOf.get(groupId) ?? groupId}”`
                    : defaultOn
                      ? "On by default"
                      : "Off by default"}
                </span>
              </p>
              <p className="text-quiet text-xs">{controlWords[control]}.</p>
              {preview && <p className="mt-0.5 line-clamp-2 text-faint text-xs">{preview}</p>}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Facts({ template }: { template: TemplateDetail }) {
  const { contractType, ourRole, titlePattern, revision, updatedAt, anchors, obligations } = template;
  return (
    <Card className="p-4">
      <DefinitionList
        items={[
          { term: "Creates", value: inWords(contractType) },
          { term: "Our role", value: inWords(ourRole) },
          { term: "Title", value: titlePattern ?? template.name },
          {
            term: "Places for signatures",
            value: anchors.length === 0 ? "None" : counted(anchors.length, "place"),
          },
          {
            term: "Obligations",
            value: obligations.length === 0 ? "None" : counted(obligations.length, "obligation"),
          },
          {
            term: "Revision",
            value: (
              <>
                {revision}, <Ago value={updatedAt} />
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Used({ id }: { id: string }) {
  const { data } = useOperation("templates.use", { id });
  if (!data) return null;
  return (
    <Section title="Contracts created from it" hint={data.total > 0 ? String(data.total) : undefined}>
      <Card>
        {data.total === 0 ? (
          <p className="px-4 py-3 text-quiet">None yet.</p>
        ) : (
          <ul>
            {data.latest.map(({ id: contractId, title, status }) => (
              <li
                key={contractId}
                className="relative flex items-center gap-2 border-line border-b px-4 py-2 last:border-b-0"
              >
                <NameLink href={`/contracts/${contractId}`} className="min-w-0 flex-1 truncate">
                  {title}
                </NameLink>
                <ContractStatusBadge status={status} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  );
}

function History({ id }: { id: string }) {
  const { data } = useOperation("templates.history", { id });
  if (!data) return null;
  return (
    <Section title="History">
      <Card>
        <ol>
          {data.data.slice(0, 20).map(({ number, author, createdAt, fileName }) => (
            <li key={number} className="border-line border-b px-4 py-2 last:border-b-0">
              <p>
                <span className="font-medium">Revision {number}</span>
                {author && ` by ${author.name}`}
              </p>
              <p className="break-words text-quiet text-xs">
                <DateTime value={createdAt} />, {fileName}
              </p>
            </li>
          ))}
        </ol>
      </Card>
    </Section>
  );
}
