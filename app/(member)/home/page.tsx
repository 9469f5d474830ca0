import type { Metadata } from "next";
import { HomePage } from "#components/home/home-page.tsx";
import { ask, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Home" };

export default function Home() {
  return (
    <Seed asks={[ask("home.summary", {})]}>
      <HomePage />
    </Seed>
  );
}
