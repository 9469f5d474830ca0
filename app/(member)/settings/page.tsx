import type { Metadata } from "next";
import { SettingsList } from "#components/settings/frame.tsx";
import { WorkspacePage } from "#components/settings/workspace-page.tsx";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Settings" };

/** On a phone, the list of settings pages; on larger screens, which show that list anyway, the first page. */
export default function Settings() {
  return (
    <Seed asks={[read("workspace.read", {})]}>
      <div className="lg:hidden">
        <SettingsList />
      </div>
      <div className="max-lg:hidden">
        <WorkspacePage />
      </div>
    </Seed>
  );
}
