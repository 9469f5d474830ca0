import type { Metadata } from "next";
import { CounterpartyPage } from "#components/counterparties/counterparty-page.tsx";
import { performAsMember } from "#lib/doors/page.ts";
import { read, Seed } from "../../seed.tsx";

type Params = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const found = await performAsMember("counterparties.read", await params).catch(() => null);
  return { title: found?.counterparty.name ?? "Counterparty" };
}

export default async function Counterparty({ params }: Params) {
  const { id } = await params;
  return (
    <Seed asks={[read("counterparties.read", { id })]}>
      <CounterpartyPage id={id} />
    </Seed>
  );
}
