-- AlterTable
ALTER TABLE "document_versions" ADD COLUMN     "page_count" INTEGER,
ADD COLUMN     "pdf_error" TEXT,
ADD COLUMN     "pdf_sha256" TEXT,
ADD COLUMN     "pdf_size_bytes" INTEGER,
ADD COLUMN     "pdf_state" TEXT NOT NULL DEFAULT 'PENDING',
ADD COLUMN     "text_state" TEXT NOT NULL DEFAULT 'PENDING';

-- CreateTable
CREATE TABLE "document_pages" (
    "organization_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "page_index" INTEGER NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "document_pages_pkey" PRIMARY KEY ("organization_id","version_id","page_index")
);

-- CreateIndex
CREATE INDEX "document_versions_organization_id_pdf_sha256_idx" ON "document_versions"("organization_id", "pdf_sha256");

-- AddForeignKey
ALTER TABLE "document_pages" ADD CONSTRAINT "document_pages_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma's schema cannot say.

ALTER TABLE "document_versions"
  ADD CONSTRAINT "document_versions_source_check"
    CHECK ("source" IN ('UPLOADED', 'TEMPLATE', 'CONVERTED', 'SIGNED', 'IMPORTED')),
  ADD CONSTRAINT "document_versions_pdf_check" CHECK ("pdf_state" IN ('PENDING', 'READY', 'FAILED')
    AND ("pdf_state" = 'READY') = ("pdf_sha256" IS NOT NULL AND "pdf_size_bytes" IS NOT NULL)),
  ADD CONSTRAINT "document_versions_text_check" CHECK ("text_state" IN ('PENDING', 'READY', 'FAILED'));
CREATE UNIQUE INDEX "document_versions_once" ON "document_versions"("organization_id", "contract_id", "sha256");
