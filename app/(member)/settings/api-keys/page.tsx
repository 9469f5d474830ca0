import type { Metadata } from "next";
import { KeysPage } from "#components/settings/keys/keys-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "API keys" };

export default function ApiKeys() {
  return (
    <Seed asks={[read("apiKeys.list", {})]}>
      <KeysPage />
    </Seed>
  );
}
