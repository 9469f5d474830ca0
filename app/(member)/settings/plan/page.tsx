import type { Metadata } from "next";
import { PlanPage } from "#components/settings/plan-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Plan" };

export default function Plan() {
  return (
    <Seed asks={[read("workspace.read", {})]}>
      <PlanPage />
    </Seed>
  );
}
