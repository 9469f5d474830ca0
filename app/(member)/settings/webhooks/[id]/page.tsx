import type { Metadata } from "next";
import { EndpointPage } from "#components/settings/webhooks/endpoint-page.tsx";
import { read, Seed } from "../../../seed.tsx";

export const metadata: Metadata = { title: "Webhook endpoint" };

export default async function Endpoint({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <Seed asks={[read("webhookEndpoints.read", { id })]}>
      <EndpointPage id={id} />
    </Seed>
  );
}
