import type { Metadata } from "next";
import { PlanPage } from "#components/settings/plan-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Plan" };

export default function Plan() {
  return (
    <Seed asks={[ask("workspace.read", {})]}>
      <PlanPage />
    </Seed>
  );
}
