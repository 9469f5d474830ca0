import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { MembersPage } from "#components/settings/members/members-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Members" };

export default function Members() {
  return (
    <NuqsAdapter>
      <Seed asks={[ask("members.list", {}), ask("invitations.list", {}), ask("workspace.read", {})]}>
        <MembersPage />
      </Seed>
    </NuqsAdapter>
  );
}
