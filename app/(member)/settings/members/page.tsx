import type { Metadata } from "next";
import { MembersPage } from "#components/settings/members/members-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Members" };

export default function Members() {
  return (
    <Seed asks={[ask("members.list", {}), ask("invitations.list", {}), ask("workspace.read", {})]}>
      <MembersPage />
    </Seed>
  );
}
