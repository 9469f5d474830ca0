import type { Metadata } from "next";
import { MembersPage } from "#components/settings/members/members-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Members" };

export default function Members() {
  return (
    <Seed asks={[read("members.list", {}), read("invitations.list", {}), read("workspace.read", {})]}>
      <MembersPage />
    </Seed>
  );
}
