import type { Metadata } from "next";
import { WebhooksPage } from "#components/settings/webhooks/webhooks-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Webhooks" };

export default function Webhooks() {
  return (
    <Seed asks={[ask("webhookEndpoints.list", {})]}>
      <WebhooksPage />
    </Seed>
  );
}
