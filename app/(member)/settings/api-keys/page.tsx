import type { Metadata } from "next";
import { KeysPage } from "#components/settings/keys/keys-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "API keys" };

export default function ApiKeys() {
  return (
    <Seed asks={[ask("apiKeys.list", {})]}>
      <KeysPage />
    </Seed>
  );
}
