-- CreateTable
CREATE TABLE "contract_imports" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "sha256" TEXT,
    "columns" JSONB NOT NULL,
    "mapping" JSONB,
    "state" TEXT NOT NULL,
    "rows_done" INTEGER NOT NULL DEFAULT 0,
    "report" JSONB,
    "origin" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contract_imports_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "contract_imports_organization_id_user_id_key" ON "contract_imports"("organization_id", "user_id");

-- CreateIndex
CREATE INDEX "contract_imports_created_at_idx" ON "contract_imports"("created_at");

-- One at a time in a workspace.
CREATE UNIQUE INDEX "contract_imports_under_way" ON "contract_imports"("organization_id") WHERE "state" = 'IMPORTING';

-- AddForeignKey
ALTER TABLE "contract_imports" ADD CONSTRAINT "contract_imports_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;
