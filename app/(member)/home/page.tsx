import type { Metadata } from "next";
import { HomePage } from "#components/home/home-page.tsx";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Home" };

export default function Home() {
  return (
    <Seed asks={[read("home.summary", {})]}>
      <HomePage />
    </Seed>
  );
}
