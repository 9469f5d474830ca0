import type { Metadata } from "next";
import { TemplatesPage } from "#components/templates/templates-page.tsx";
import { read, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Templates" };

export default function Templates() {
  return (
    <Seed asks={[read("templates.listAll", {})]}>
      <TemplatesPage />
    </Seed>
  );
}
