import type { Metadata } from "next";
import { CounterpartiesPage } from "#components/counterparties/counterparties-page.tsx";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Counterparties" };

export default function Counterparties() {
  return (
    <Seed asks={[read("counterparties.list", {})]}>
      <CounterpartiesPage />
    </Seed>
  );
}
