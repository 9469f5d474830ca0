import type { Metadata } from "next";
import { WebhooksPage } from "#components/settings/webhooks/webhooks-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Webhooks" };

export default function Webhooks() {
  return (
    <Seed asks={[read("webhookEndpoints.list", {})]}>
      <WebhooksPage />
    </Seed>
  );
}
