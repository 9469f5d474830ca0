import type { Metadata } from "next";
import { UploadPage } from "#components/uploads/upload-page.tsx";
import { ask, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Upload documents" };

export default function Upload() {
  return (
    <Seed asks={[ask("uploads.list", {})]}>
      <UploadPage />
    </Seed>
  );
}
