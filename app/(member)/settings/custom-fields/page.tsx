import type { Metadata } from "next";
import { CustomFieldsPage } from "#components/settings/custom-fields/custom-fields-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Custom fields" };

export default function CustomFields() {
  return (
    <Seed asks={[read("customFields.list", {})]}>
      <CustomFieldsPage />
    </Seed>
  );
}
