import type { Metadata } from "next";
import { MyApprovalsPage } from "#components/home/my-approvals-page.tsx";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "My approvals" };

export default function MyApprovals() {
  return (
    <Seed asks={[read("approvals.mine", { page: 1 })]}>
      <MyApprovalsPage />
    </Seed>
  );
}
