import type { Metadata } from "next";
import { NewContractPage } from "#components/contracts/new-contract-page.tsx";
import { NeedsRight } from "#components/needs-right.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "New contract" };

export default function NewContract() {
  return (
    <Seed asks={[ask("members.list", {}), ask("customFields.list", {})]}>
      <NeedsRight
        scopes={["contracts:write"]}
        act="create contracts"
        back={{ href: "/contracts", label: "Contracts" }}
      >
        <NewContractPage />
      </NeedsRight>
    </Seed>
  );
}
