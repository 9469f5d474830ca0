"use client";
/** The signature requests of one contract, to look at. */
import { useOperation } from "#components/query.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { EnvelopeBadge } from "./status.tsx";

export function ContractSignatures({ contractId }: { contractId: string }) {
  const { data } = useOperation("signatures.listOfContract", { id: contractId });
  if (!data || data.data.length === 0) return null;
  return (
    <Section title="Signature requests">
      <Card>
        <ul>
          {data.data.map(({ id, status, documentVersion, progress, createdAt }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2.5 last:border-b-0"
            >
              <div className="min-w-0 flex-1 basis-56">
                <p className="truncate font-medium">{documentVersion.fileName}</p>
                <p className="text-quiet text-xs">
                  {progress.signedCount} of {progress.totalSigners} signed
                  {progress.awaitingSigner && `, waiting for ${progress.awaitingSigner.name}`}
                </p>
              </div>
              <DateTime value={createdAt} className="text-quiet text-xs" />
              <EnvelopeBadge status={status} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
