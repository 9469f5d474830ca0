import type { Metadata } from "next";
import { WorkspacePage } from "#components/settings/workspace-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Workspace" };

export default function WorkspaceSettings() {
  return (
    <Seed asks={[ask("workspace.read", {})]}>
      <WorkspacePage />
    </Seed>
  );
}
