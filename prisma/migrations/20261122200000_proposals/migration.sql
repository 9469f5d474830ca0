-- AlterTable
ALTER TABLE "obligations" ADD COLUMN     "proposed_as" TEXT,
ADD COLUMN     "source_page" INTEGER,
ADD COLUMN     "source_version_id" TEXT;

-- CreateTable
CREATE TABLE "version_readings" (
    "organization_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "edition" INTEGER NOT NULL,
    "model" TEXT,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "version_readings_pkey" PRIMARY KEY ("organization_id","version_id")
);

-- CreateTable
CREATE TABLE "date_proposals" (
    "organization_id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "anchor" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "page" INTEGER NOT NULL,
    "quote" TEXT NOT NULL,
    "reasoning" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'SUGGESTED',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "date_proposals_pkey" PRIMARY KEY ("organization_id","contract_id","anchor","value")
);

-- AddForeignKey
ALTER TABLE "obligations" ADD CONSTRAINT "obligations_organization_id_source_version_id_fkey" FOREIGN KEY ("organization_id", "source_version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "version_readings" ADD CONSTRAINT "version_readings_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "date_proposals" ADD CONSTRAINT "date_proposals_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "date_proposals" ADD CONSTRAINT "date_proposals_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
