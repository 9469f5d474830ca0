import type { Metadata } from "next";
import { CustomFieldsPage } from "#components/settings/custom-fields/custom-fields-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Custom fields" };

export default function CustomFields() {
  return (
    <Seed asks={[ask("customFields.list", {})]}>
      <CustomFieldsPage />
    </Seed>
  );
}
