import type { Metadata } from "next";
import { SessionsPage } from "#components/settings/you/sessions-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Sessions" };

export default function Sessions() {
  return (
    <Seed asks={[read("sessions.list", {})]}>
      <SessionsPage />
    </Seed>
  );
}
