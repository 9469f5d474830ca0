import type { Metadata } from "next";
import { ApprovalRulesPage } from "#components/settings/approvals/rules-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Approvals" };

export default function ApprovalRules() {
  return (
    <Seed asks={[read("approvalRules.list", {})]}>
      <ApprovalRulesPage />
    </Seed>
  );
}
