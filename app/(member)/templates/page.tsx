import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { TemplatesPage } from "#components/templates/templates-page.tsx";
import { ask, Seed } from "../seed.tsx";

export const metadata: Metadata = { title: "Templates" };

export default function Templates() {
  return (
    <NuqsAdapter>
      <Seed asks={[ask("templates.listAll", {})]}>
        <TemplatesPage />
      </Seed>
    </NuqsAdapter>
  );
}
