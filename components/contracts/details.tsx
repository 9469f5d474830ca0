"use client";
/** A contract's details, edited in place. */
import { clsx } from "clsx";
import NextLink from "next/link";
import { type ReactNode, useState } from "react";
import { Money } from "#components/money.tsx";
import { OwnerField } from "#components/owner-field.tsx";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { inlineBoxClass, inlineClass } from "#components/ui/inline.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { Select } from "#components/ui/select.tsx";
import { SkeletonRows } from "#components/ui/states.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { inWords, optionsOf } from "#components/words.ts";
import { contractTypes, ourRoles } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import type { InputOf } from "#lib/doors/client.ts";
import { CounterpartyField } from "./counterparty-field.tsx";
import { Tags } from "./tags.tsx";

const ContractFields = lazily(() =>
  import("#components/custom-fields/contract-fields.tsx").then((module) => module.ContractFields),
);

const ValueForm = lazily(() => import("./value-form.tsx").then((module) => module.ValueForm), {
  loading: () => <SkeletonRows rows={2} label="Loading the form" />,
});

type Patch = Omit<InputOf<"contracts.patch">, "id">;

/** Returns a function that changes a contract; the title, type and role are updated optimistically. */
export function usePatch(contract: Contract, { showsErrors = true } = {}) {
  const patch = useAct("contracts.patch", {
    showsErrors,
    invalidates: ["contracts", "counterparties", "obligations", "home", "auditEvents"],
    optimistic: ({ id, title, type, ourRole }, memory) => {
      const shown = Object.fromEntries(
        Object.entries({ title, type, ourRole }).filter(([, value]) => value !== undefined),
      );
      memory.updateAll("contracts.read", (answer) =>
        answer.contract.id === id ? { contract: { ...answer.contract, ...shown } } : answer,
      );
    },
  });
  return (change: Patch) => patch.run({ id: contract.id, ...change });
}

export function ContractDetails({ contract }: { contract: Contract }) {
  const may = useMay();
  const patch = usePatch(contract);
  const quietly = (change: Patch) => void patch(change).catch(() => undefined);
  const readOnly = !may("contracts:write");
  return (
    <dl className="grid gap-x-4 gap-y-1 max-sm:text-[1rem]">
      <Row term="Counterparty">
        {readOnly ? (
          <span className="block [overflow-wrap:anywhere]">
            {contract.counterparty?.name ?? <span className="text-faint">–</span>}
          </span>
        ) : (
          <CounterpartyField
            label="Counterparty"
            className={inlineClass}
            value={contract.counterpartyId}
            name={contract.counterparty?.name}
            onValue={(counterpartyId) => quietly({ counterpartyId })}
          />
        )}
        {contract.counterparty && (
          <NextLink
            prefetch={false}
            href={`/counterparties/${contract.counterparty.id}`}
            className="inline-block py-1.5 text-accent text-xs underline decoration-accent/35 underline-offset-2"
          >
            Open the counterparty
          </NextLink>
        )}
      </Row>
      <Row term="Type">
        {readOnly ? (
          inWords(contract.type)
        ) : (
          <Select
            aria-label="Type"
            className={inlineBoxClass}
            value={contract.type}
            options={optionsOf(contractTypes)}
            onChange={({ target }) => quietly({ type: target.value as Contract["type"] })}
          />
        )}
      </Row>
      <Row term="Our role">
        {readOnly ? (
          inWords(contract.ourRole)
        ) : (
          <Select
            aria-label="Our role"
            className={inlineBoxClass}
            value={contract.ourRole}
            options={optionsOf(ourRoles)}
            onChange={({ target }) => quietly({ ourRole: target.value as Contract["ourRole"] })}
          />
        )}
      </Row>
      <Row term="Owner">
        {readOnly ? (
          contract.owner.name
        ) : (
          <OwnerField
            label="Owner"
            className={inlineClass}
            value={contract.ownerId}
            name={contract.owner.name}
            onValue={(ownerId) => ownerId && quietly({ ownerId })}
          />
        )}
      </Row>
      <Row term="Value">
        {readOnly ? (
          <Money cents={contract.valueCents} currency={contract.valueCurrency} />
        ) : (
          <ValueEdit contract={contract} />
        )}
      </Row>
      <Row term="Tags">
        <Tags contract={contract} />
      </Row>
      {Object.keys(contract.customFields).length > 0 && (
        <ContractFields
          contract={contract}
          row={(term, key, children) => (
            <Row key={key} term={term}>
              {children}
            </Row>
          )}
        />
      )}
      <Row term="Created" fixed>
        <DateTime value={contract.createdAt} />
      </Row>
      <Row term="Status since" fixed>
        <DateTime value={contract.statusChangedAt} />
      </Row>
    </dl>
  );
}

function Row({ term, fixed, children }: { term: string; fixed?: boolean; children: ReactNode }) {
  return (
    <div
      className={clsx(
        "grid grid-cols-[7rem_minmax(0,1fr)] items-baseline gap-2 py-0.5",
        fixed && "text-quiet",
      )}
    >
      <dt className="min-w-0 break-words text-faint">{term}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function ValueEdit({ contract }: { contract: Contract }) {
  const { valueCents, valueCurrency } = contract;
  const patch = usePatch(contract, { showsErrors: false });
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="Value"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="-mx-2 block max-w-[calc(100%+1rem)] rounded-md border border-transparent px-2 py-1 text-left *:whitespace-normal hover:border-edge"
        >
          <Money cents={valueCents} currency={valueCurrency} empty="Set a value" />
        </button>
      }
    >
      <ValueForm value={{ valueCents, valueCurrency }} onSave={patch} onClose={() => setOpen(false)} />
    </Popover>
  );
}
