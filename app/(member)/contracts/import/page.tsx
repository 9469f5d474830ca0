import type { Metadata } from "next";
import { ImportPage } from "#components/imports/import-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Import contracts" };

export default function Import() {
  return (
    <Seed asks={[read("imports.read", {})]}>
      <ImportPage />
    </Seed>
  );
}
