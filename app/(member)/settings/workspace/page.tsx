import type { Metadata } from "next";
import { WorkspacePage } from "#components/settings/workspace-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Workspace" };

export default function WorkspaceSettings() {
  return (
    <Seed asks={[read("workspace.read", {})]}>
      <WorkspacePage />
    </Seed>
  );
}
