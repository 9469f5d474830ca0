-- CreateTable
CREATE TABLE "version_previews" (
    "organization_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'PENDING',
    "sha256" TEXT,
    "width" INTEGER,
    "height" INTEGER,

    CONSTRAINT "version_previews_pkey" PRIMARY KEY ("organization_id","version_id")
);

-- CreateIndex
CREATE INDEX "version_previews_organization_id_sha256_idx" ON "version_previews"("organization_id", "sha256");

-- AddForeignKey
ALTER TABLE "version_previews" ADD CONSTRAINT "version_previews_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
