import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { MyApprovalsPage } from "#components/home/my-approvals-page.tsx";
import { ask, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "My approvals" };

export default function MyApprovals() {
  return (
    <NuqsAdapter>
      <Seed asks={[ask("approvals.mine", { page: 1 })]}>
        <MyApprovalsPage />
      </Seed>
    </NuqsAdapter>
  );
}
