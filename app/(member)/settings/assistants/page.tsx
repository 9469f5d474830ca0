import type { Metadata } from "next";
import { AssistantsPage } from "#components/settings/assistants/assistants-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Connected assistants" };

export default function Assistants() {
  return (
    <Seed asks={[ask("assistants.list", {})]}>
      <AssistantsPage />
    </Seed>
  );
}
