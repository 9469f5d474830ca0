"use client";
/** All signature requests: who still has to sign what. */
import { clsx } from "clsx";
import { PenLine, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useOperation } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { ChoiceFilter } from "#components/ui/filter.tsx";
import { NameLink } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { optionsOf } from "#components/words.ts";
import { envelopeStatuses } from "#lib/signatures/lifecycle.ts";
import { signatureParsers, signatureQuery } from "./search.ts";
import { EnvelopeBadge } from "./status.tsx";

const statusOptions = optionsOf(envelopeStatuses);

export function SignaturesPage() {
  const [search, setSearch] = useQueryStates(signatureParsers, { clearOnDefault: true });
  const { data, error, isPrevious, again } = useOperation("signatures.list", signatureQuery(search), {
    keepPrevious: true,
  });
  return (
    <>
      <div className="grid gap-4 px-4 pt-5 pb-4 md:px-6">
        <PageHeader
          title="Signatures"
          description="Requests that were sent for signature, the newest first."
        />
        <search className="flex flex-wrap gap-2">
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
          <ErrorState message={error.message} requestId={error.requestId} onRetry={again} />
        ) : !data ? (
          <SkeletonRows label="Loading signature requests" />
        ) : data.data.length === 0 ? (
          search.status.length > 0 ? (
            <EmptyState
              icon={SearchX}
              title="Nothing fits"
              action={
                <Button onClick={() => void setSearch({ status: null, page: null })}>Clear the filter</Button>
              }
            >
              No request has this status.
            </EmptyState>
          ) : (
            <EmptyState icon={PenLine} title="Nothing was sent for signature yet">
              A document of a contract goes out to its signers; here is who has signed, and who is awaited.
            </EmptyState>
          )
        ) : (
          <>
            <Table
              label="Signature requests"
              className={clsx("transition-opacity", isPrevious && "opacity-60")}
            >
              <thead>
                <tr>
                  <Th>Contract</Th>
                  <Th>Status</Th>
                  <Th className="max-sm:hidden">Signed</Th>
                  <Th className="max-md:hidden">Waiting for</Th>
                  <Th className="max-lg:hidden">Made</Th>
                </tr>
              </thead>
              <tbody>
                {data.data.map(({ id, contract, documentVersion, status, progress, createdAt }) => (
                  <Tr key={id} className="relative">
                    <Td className="w-full max-w-0">
                      <NameLink
                        href={`/contracts/${contract.id}`}
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
                      {progress.signedCount} of {progress.totalSigners}
                    </Td>
                    <Td className="max-w-48 truncate max-md:hidden">
                      {progress.awaitingSigner?.name ?? "–"}
                    </Td>
                    <Td className="whitespace-nowrap text-quiet max-lg:hidden">
                      <DateTime value={createdAt} />
                    </Td>
                  </Tr>
                ))}
              </tbody>
            </Table>
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
    </>
  );
}
