import type { Metadata } from "next";
import { HomePage } from "#components/home/home-page.tsx";
import { awaited, ending, needed } from "#components/home/queries.ts";
import { ask, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Home" };

export default function Home() {
  const now = new Date().toISOString();
  const asks = [
    ask("analytics.summary", {}),
    ask("obligations.list", needed),
    ask("contracts.list", ending(now)),
    ask("signatures.list", awaited),
  ];
  return (
    <Seed asks={asks}>
      <HomePage now={now} />
    </Seed>
  );
}
