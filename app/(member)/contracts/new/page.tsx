import type { Metadata } from "next";
import type { Amended } from "#components/contracts/new/creation.ts";
import { NewContractPage } from "#components/contracts/new/page.tsx";
import { NeedsRight } from "#components/needs-right.tsx";
import { performAsMember } from "#lib/doors/page.ts";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "New contract" };

type Query = Promise<Record<string, string | string[] | undefined>>;

export default async function NewContract({ searchParams }: { searchParams: Query }) {
  return (
    <Seed asks={[read("members.list", {}), read("customFields.list", {})]}>
      <NeedsRight
        scopes={["contracts:write"]}
        act="create contracts"
        back={{ href: "/contracts", label: "Contracts" }}
      >
        <NewContractPage amended={await amendedIn((await searchParams).amends)} />
      </NeedsRight>
    </Seed>
  );
}

/** Returns the initial values if the address names a contract to amend; null if there is no such contract. */
async function amendedIn(id: string | string[] | undefined): Promise<Amended | null> {
  if (typeof id !== "string") return null;
  const found = await performAsMember("contracts.read", { id }).catch(() => null);
  if (!found) return null;
  const { title, ourRole, counterpartyId, valueCurrency } = found.contract;
  return { id, title, ourRole, counterpartyId, valueCurrency };
}
