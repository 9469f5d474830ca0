-- CreateTable
CREATE TABLE "comments" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "version_id" TEXT,
    "page" INTEGER,
    "quote" TEXT,
    "author_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "mentioned_ids" TEXT[],
    "untold_ids" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "edited_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by_id" TEXT,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "comments_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE INDEX "comments_organization_id_contract_id_thread_id_idx" ON "comments"("organization_id", "contract_id", "thread_id");

-- Whoever was named and has not heard of it: few at a time.
CREATE INDEX "comments_untold" ON "comments"("organization_id") WHERE "untold_ids" <> '{}';

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_organization_id_author_id_fkey" FOREIGN KEY ("organization_id", "author_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;
