import type { Metadata } from "next";
import { AssistantsPage } from "#components/settings/assistants/assistants-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Connected assistants" };

export default function Assistants() {
  return (
    <Seed asks={[read("assistants.list", {})]}>
      <AssistantsPage />
    </Seed>
  );
}
