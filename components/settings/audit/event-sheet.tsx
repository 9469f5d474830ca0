"use client";
/** One event, with everything the audit log has about it. */
import type { ReactNode } from "react";
import { useOperation } from "#components/query.tsx";
import { DefinitionList } from "#components/ui/bits.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { Sheet } from "#components/ui/dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { fieldInWords, inWords } from "#components/words.ts";
import { CodeBlock } from "../code-block.tsx";
import { type AuditEvent, amountText, sentenceText, valueText } from "./sentences.ts";

/** Stacked links need enough space for touch. */
const roomy = "inline-block py-0.5";

export function EventSheet({ event, onClose }: { event: AuditEvent; onClose(): void }) {
  const { id, action, actor, apiKey, assistant, contract, createdAt, payload } = event;
  return (
    <Sheet
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={inWords(action)}
      description={<DateTime value={createdAt} />}
    >
      <div className="grid min-h-0 flex-1 content-start gap-6 overflow-y-auto px-5 pb-6">
        <p className="break-words text-base">{sentenceText(event)}</p>
        {payload.reason && <p className="border-line border-l-2 pl-3 text-quiet">{payload.reason}</p>}
        <Changes event={event} />
        <DefinitionList
          className="sm:grid-cols-2"
          items={[
            ...(actor ? [{ term: "Member", value: `${actor.name}, ${actor.email}` }] : []),
            ...(assistant ? [{ term: "Assistant", value: assistant.name }] : []),
            ...(apiKey
              ? [
                  {
                    term: "API key",
                    value: (
                      <Link
                        href={`/settings/audit?apiKeyId=${apiKey.id}`}
                        onClick={onClose}
                        className={roomy}
                      >
                        {apiKey.name}
                      </Link>
                    ),
                  },
                ]
              : []),
            ...(contract
              ? [
                  {
                    term: "Contract",
                    value: (
                      <>
                        <Link href={`/contracts/${contract.id}`} className={roomy}>
                          {contract.title}
                        </Link>
                        <span className="block">
                          <Link
                            href={`/settings/audit?contractId=${contract.id}`}
                            onClick={onClose}
                            className={roomy}
                          >
                            Its full history
                          </Link>
                        </span>
                      </>
                    ),
                  },
                ]
              : []),
            {
              term: `Target (${payload.target.type.replaceAll("_", " ")})`,
              value: <CopyText text={payload.target.id} />,
            },
            { term: "IP address", value: payload.ip ?? <Unknown /> },
            { term: "Browser or client", value: payload.userAgent ?? <Unknown /> },
            {
              term: "Request",
              value: payload.requestId ? <CopyText text={payload.requestId} /> : <Unknown />,
            },
            { term: "Event", value: <CopyText text={id} /> },
          ]}
        />
        <details>
          <summary className="w-fit rounded-sm font-medium">As the API returns it</summary>
          <div className="mt-2">
            <CodeBlock label="The event as JSON" text={JSON.stringify(event)} />
          </div>
        </details>
      </div>
    </Sheet>
  );
}

const Unknown = () => <span className="text-faint">Not known</span>;

type Side = "from" | "to";

function Changes({ event }: { event: AuditEvent }) {
  const { changes } = event.payload;
  const rows = Object.entries(changes ?? {});
  const currencyAtEvent = useCurrencyAt(event);
  const textOf = (field: string, side: Side) => {
    const value = changes?.[field]?.[side];
    if (field !== "valueCents") return valueText(field, value);
    const currency = changes?.valueCurrency ? changes.valueCurrency[side] : currencyAtEvent;
    return currency === undefined ? "…" : amountText(value, currency);
  };
  if (rows.length === 0) return null;
  return (
    <section aria-label="Changes" className="grid gap-2">
      <h3 className="font-semibold">Changes</h3>
      <dl className="divide-y divide-line rounded-lg border border-line">
        {rows.map(([field]) => (
          <div key={field} className="grid gap-x-3 gap-y-1 px-3 py-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <dt className="text-quiet">{fieldInWords(field)}</dt>
            <dd className="grid gap-x-2 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
              <Value text={textOf(field, "from")} label="before" />
              <span aria-hidden className="text-faint max-sm:hidden">
                →
              </span>
              <Value text={textOf(field, "to")} label="after" isNew />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/**
 * Returns the currency of a changed value if the event did not change it: the old currency of the next change
 * of currency, or else the contract's present one. Null if it cannot be determined, undefined while loading.
 */
function useCurrencyAt({ id, contract, createdAt, payload: { changes } }: AuditEvent) {
  const enabled = !!contract && !!changes?.valueCents && !changes.valueCurrency;
  const contractId = contract?.id ?? "";
  const present = useOperation("contracts.read", { id: contractId }, { enabled });
  const since = {
    contractId,
    action: ["CONTRACT_UPDATED" as const],
    from: createdAt.slice(0, 10),
    limit: 200,
  };
  const updates = useOperation("auditEvents.list", since, { enabled });
  if (!enabled || present.error || updates.error) return null;
  if (!present.data || !updates.data) return undefined;
  const { data } = updates.data;
  const index = data.findIndex((update) => update.id === id);
  if (index < 0) return null;
  const next = data.slice(0, index).findLast(({ payload }) => payload.changes?.valueCurrency);
  return next ? next.payload.changes?.valueCurrency?.from : present.data.contract.valueCurrency;
}

function Value({
  text,
  label,
  isNew = false,
}: {
  text: string | null;
  label: string;
  isNew?: boolean;
}): ReactNode {
  return (
    <span
      className={isNew ? "whitespace-pre-wrap break-words" : "whitespace-pre-wrap break-words text-quiet"}
    >
      <span className="sr-only">{label}: </span>
      {isNew && (
        <span aria-hidden className="text-faint sm:hidden">
          →{" "}
        </span>
      )}
      {text ?? <span className="text-faint">nothing</span>}
    </span>
  );
}
