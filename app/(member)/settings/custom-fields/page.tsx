import type { Metadata } from "next";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { CustomFieldsPage } from "#components/settings/custom-fields/custom-fields-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Custom fields" };

export default function CustomFields() {
  return (
    <NuqsAdapter>
      <Seed asks={[ask("customFields.list", {})]}>
        <CustomFieldsPage />
      </Seed>
    </NuqsAdapter>
  );
}
