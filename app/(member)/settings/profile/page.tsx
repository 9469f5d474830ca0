import type { Metadata } from "next";
import { ProfilePage } from "#components/settings/you/profile-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Profile" };

export default function Profile() {
  return (
    <Seed asks={[read("profile.read", {})]}>
      <ProfilePage />
    </Seed>
  );
}
