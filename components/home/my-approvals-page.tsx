"use client";
/** Everything that waits for this member's approval. */
import { CheckCircle2 } from "lucide-react";
import { parseAsInteger, useQueryState } from "nuqs";
import { useLastPage } from "#components/last-page.ts";
import { useOperation } from "#components/query.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { EmptyState, PagePending } from "#components/ui/states.tsx";
import { Ago } from "#components/ui/time.tsx";
import { approvalDetails } from "./approval-details.ts";
import { Row } from "./row.tsx";

export function MyApprovalsPage() {
  const [page, setPage] = useQueryState("page", parseAsInteger.withDefault(1));
  const reading = useOperation("approvals.mine", { page: Math.max(1, page) }, { keepPrevious: true });
  const data = useLastPage(reading, setPage);
  return (
    <div className="mx-auto max-w-4xl px-4 pt-5 pb-12 md:px-6">
      <PageHeader
        title="My approvals"
        description="Contracts waiting for your approval, longest waiting first."
      />
      <div className="mt-5">
        {!data ? (
          <PagePending reading={reading} label="Loading your approvals" />
        ) : (
          <>
            <Card>
              {data.data.length === 0 ? (
                <EmptyState compact icon={CheckCircle2} title="Nothing waits for your approval">
                  When someone asks you to approve a contract, it appears here, on Home and in your inbox.
                </EmptyState>
              ) : (
                <ul>
                  {data.data.map((approval) => (
                    <Row
                      key={approval.id}
                      href={`/contracts/${approval.contract.id}`}
                      title={approval.contract.title}
                      detail={approvalDetails(approval)}
                    >
                      <span className="whitespace-nowrap text-faint text-xs">
                        <Ago value={approval.askedSince} />
                      </span>
                    </Row>
                  ))}
                </ul>
              )}
            </Card>
            {data.pageCount > 1 && (
              <div className="mt-3">
                <Pagination
                  {...data}
                  what="approvals"
                  onPage={(next) => void setPage(next === 1 ? null : next)}
                />
              </div>
            )}
          </>
        )}
      </div>
    </div>
  );
}
