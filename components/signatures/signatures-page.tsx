"use client";
/** All signature requests: who still has to sign what. */
import { PenLine, Plus, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useDebounced } from "#components/debounced.ts";
import { useFading } from "#components/fading.ts";
import { useLastPage } from "#components/last-page.ts";
import { useNextPage } from "#components/next-page.ts";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { ChoiceFilter } from "#components/ui/filter.tsx";
import { SearchInput } from "#components/ui/input.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { SortTh, Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { Ago } from "#components/ui/time.tsx";
import { optionsOf } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";
import { envelopeStatuses, isOutForSignature } from "#lib/signatures/lifecycle.ts";
import { signatureParsers, signatureQuery, type signatureSorts } from "./search.ts";
import { EnvelopeBadge } from "./status.tsx";

const ContractChoice = lazily(() => import("./contract-choice.tsx").then((module) => module.ContractChoice));

const statusOptions = optionsOf(envelopeStatuses);

export function SignaturesPage() {
  const [search, setSearch] = useQueryStates(signatureParsers, { clearOnDefault: true });
  const may = useMay();
  const q = useDebounced(search.q, 150);
  const input = signatureQuery({ ...search, q });
  const [choosing, setChoosing] = useState(false);
  const hasFilters = search.status.length > 0 || search.q !== "";
  const newRequest = may("signatures:write") && (
    <Button variant="primary" onClick={() => setChoosing(true)}>
      <Plus aria-hidden />
      New request
    </Button>
  );
  const reading = useOperation("signatures.list", input, { keepPrevious: true });
  const { error, isPrevious, refetch } = reading;
  const fading = useFading(isPrevious);
  const data = useLastPage(reading, (page) => setSearch({ page }));
  useNextPage("signatures.list", input, reading);
  const sortBy: SortBy = (sort) => ({
    direction: search.sort === sort ? search.dir : null,
    onSort: () =>
      void setSearch({
        sort,
        dir: search.sort === sort && search.dir === "desc" ? "asc" : "desc",
        page: null,
      }),
  });
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader
          title="Signatures"
          description="Drafts and sent requests, with who has signed and who has not."
          actions={newRequest}
        />
        <search className="flex flex-wrap gap-2">
          <SearchInput
            label="Search signature requests"
            placeholder="Contract or signer"
            value={search.q}
            onValue={(value) => void setSearch({ q: value || null, page: null })}
            className="w-full sm:w-64"
          />
          <ChoiceFilter
            label="Status"
            options={statusOptions}
            selected={search.status}
            onSelect={(status) => void setSearch({ status, page: null })}
          />
        </search>
      </div>
      <div className="border-line border-t">
        {error && !data ? (
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        ) : !data ? (
          <SkeletonRows label="Loading signature requests" />
        ) : data.data.length === 0 ? (
          hasFilters ? (
            <NoMatches onClear={() => void setSearch({ q: null, status: null, page: null })} />
          ) : (
            <NothingSent action={newRequest} />
          )
        ) : (
          <>
            <RequestTable requests={data.data} sortBy={sortBy} className={fading} />
            <div className="border-line border-t px-4 py-2.5 md:px-6">
              <Pagination
                {...data}
                what={data.total === 1 ? "request" : "requests"}
                onPage={(page) => void setSearch({ page })}
              />
            </div>
          </>
        )}
      </div>
      {choosing && <ContractChoice onClose={() => setChoosing(false)} />}
    </>
  );
}

/** Returns the sort direction that a column header shows, and what clicking it does. */
type SortBy = (
  sort: (typeof signatureSorts)[number],
) => Pick<ComponentProps<typeof SortTh>, "direction" | "onSort">;

type Requests = OutputOf<"signatures.list">["data"];

function RequestTable({
  requests,
  sortBy,
  className,
}: {
  requests: Requests;
  sortBy: SortBy;
  className: string;
}) {
  return (
    <Table label="Signature requests" className={className}>
      <thead>
        <tr>
          <Th>Contract</Th>
          <Th>Status</Th>
          <Th className="max-sm:hidden">Signed</Th>
          <Th className="max-md:hidden">Waiting for</Th>
          <SortTh label="Created" className="max-lg:hidden" {...sortBy("createdAt")} />
          <SortTh label="Updated" className="max-xl:hidden" {...sortBy("updatedAt")} />
          <SortTh label="Completed" className="max-xl:hidden" {...sortBy("completedAt")} />
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </tbody>
    </Table>
  );
}

function RequestRow({ request }: { request: Requests[number] }) {
  const { id, contract, documentVersion, status, progress, createdAt, updatedAt, completedAt } = request;
  return (
    <Tr className="relative">
      <Td className="w-full max-w-0">
        <NameLink
          href={`/signatures/${id}`}
          prefetch={false}
          className="block truncate after:absolute after:inset-0"
        >
          {contract.title}
        </NameLink>
        <span className="block truncate text-faint text-xs">{documentVersion.fileName}</span>
      </Td>
      <Td>
        <EnvelopeBadge status={status} />
      </Td>
      <Td className="whitespace-nowrap tabular-nums max-sm:hidden">
        {status === "DRAFT" ? "–" : `${progress.signedCount} of ${progress.totalSigners}`}
      </Td>
      <Td className="max-w-48 truncate max-md:hidden">
        {(isOutForSignature(status) && progress.awaitingSigner?.name) || "–"}
      </Td>
      <Td className="whitespace-nowrap text-quiet max-lg:hidden">
        <Ago value={createdAt} />
      </Td>
      <Td className="whitespace-nowrap text-quiet max-xl:hidden">
        <Ago value={updatedAt} />
      </Td>
      <Td className="whitespace-nowrap text-quiet max-xl:hidden">
        {completedAt ? <Ago value={completedAt} /> : "–"}
      </Td>
    </Tr>
  );
}

function NoMatches({ onClear }: { onClear(): void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No results"
      action={<Button onClick={onClear}>Clear the filters</Button>}
    >
      No request matches these filters.
    </EmptyState>
  );
}

function NothingSent({ action }: { action: ReactNode }) {
  return (
    <EmptyState icon={PenLine} title="Nothing has been sent for signature yet" action={action}>
      Choose a contract whose document is to be signed. Everyone signs by e-mail, without an account; here you
      see who has signed, and who has not yet.
    </EmptyState>
  );
}
