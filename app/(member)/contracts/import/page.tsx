import type { Metadata } from "next";
import { ImportPage } from "#components/imports/import-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Import contracts" };

export default function Import() {
  return (
    <Seed asks={[ask("imports.read", {})]}>
      <ImportPage />
    </Seed>
  );
}
