import type { Metadata } from "next";
import { UploadPage } from "#components/uploads/upload-page.tsx";
import { read, Seed } from "../../seed.tsx";

export const metadata: Metadata = { title: "Upload documents" };

export default function Upload() {
  return (
    <Seed asks={[read("uploads.list", {})]}>
      <UploadPage />
    </Seed>
  );
}
