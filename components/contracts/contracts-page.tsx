"use client";
/** The page of all contracts: searches them by title or document text, compares them and changes them. */
import { Files, Plus } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { useDebounced } from "#components/debounced.ts";
import { ExportButton } from "#components/export-button.tsx";
import { useOperation } from "#components/query.tsx";
import { SavedFilters } from "#components/saved-filters.tsx";
import { useMay } from "#components/session.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { DropOverlay } from "#components/ui/drop-overlay.tsx";
import { usePageDrop } from "#components/ui/file-drop.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SkeletonRows } from "#components/ui/states.tsx";
import { useDropToCreate } from "#components/uploads/dropped.ts";
import { ContractList, type ListProps } from "./contract-list.tsx";
import { ContractFilters } from "./filters.tsx";
import { clauseQuery, contractParsersWith, contractSearchQueryWith } from "./search.ts";

const ClauseResults = lazily(
  () => import("#components/search/clause-results.tsx").then((module) => module.ClauseResults),
  { loading: () => <SkeletonRows label="Searching in documents" /> },
);

/** Loaded only when an upload has something to report, because it includes the upload queue. */
const UploadNotice = lazily(
  () => import("#components/uploads/upload-notice.tsx").then((module) => module.UploadNotice),
  { loading: () => null },
);

export function ContractsPage() {
  const may = useMay();
  const fields = useCustomFields();
  const [search, setSearch] = useQueryStates(
    useMemo(() => contractParsersWith(fields), [fields]),
    { clearOnDefault: true },
  );
  // The URL's query string, without the page.
  const address = contractSearchQueryWith(fields)({ ...search, page: 1 }).replace(/^\?/, "");
  const isInDocuments = search.in === "documents";
  const q = useDebounced(search.q, isInDocuments ? 250 : 0);
  const [total, setTotal] = useState(0);
  const create = useDropToCreate();
  const isOver = usePageDrop(may("contracts:write") ? create : null);
  const onSearch: ListProps["onSearch"] = (change, options) =>
    void setSearch(change as Parameters<typeof setSearch>[0], options);
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader
          title="Contracts"
          actions={
            <>
              <SavedFilters list="contracts" href="/contracts" query={address} />
              {may("data:export") && !isInDocuments && total > 0 && (
                <ExportButton file="contracts.csv" what="contract" query={address} />
              )}
              {may("contracts:write") && (
                <>
                  <ButtonLink href="/contracts/upload">
                    <Files aria-hidden />
                    Upload documents
                  </ButtonLink>
                  <ButtonLink href="/contracts/new" variant="primary">
                    <Plus aria-hidden />
                    New contract
                  </ButtonLink>
                </>
              )}
            </>
          }
        />
        {may("contracts:write") && <OpenUpload />}
        <ContractFilters search={search} fields={fields} onSearch={onSearch} />
      </div>
      <div className="border-line border-t">
        {isInDocuments ? (
          <ClauseResults input={clauseQuery({ ...search, q })} />
        ) : (
          <ContractList search={search} fields={fields} onSearch={onSearch} onTotal={setTotal} />
        )}
      </div>
      {isOver && <DropOverlay>Drop it to create a contract</DropOverlay>}
    </>
  );
}

function OpenUpload() {
  const { data } = useOperation("uploads.summary", {});
  if (!data || data.missing + data.duplicates === 0) return null;
  return <UploadNotice summary={data} />;
}
