-- CreateTable
CREATE TABLE "uploads" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'MISSING',
    "contract_id" TEXT,
    "sha256" TEXT,
    "content_type" TEXT,
    "page_count" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE INDEX "uploads_organization_id_user_id_id_idx" ON "uploads"("organization_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "uploads_organization_id_contract_id_idx" ON "uploads"("organization_id", "contract_id");

-- CreateIndex
CREATE INDEX "uploads_created_at_idx" ON "uploads"("created_at");

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- A contract that is deleted leaves the file's name behind.
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE SET NULL ("contract_id") ON UPDATE NO ACTION;
