-- AlterTable
ALTER TABLE "contracts" ADD COLUMN     "template_revision" INTEGER;

-- AlterTable
ALTER TABLE "templates" ADD COLUMN     "anchors" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "obligations" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "template_revisions" (
    "organization_id" TEXT NOT NULL,
    "template_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "file_name" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "author_id" TEXT,
    "author_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_revisions_pkey" PRIMARY KEY ("organization_id","template_id","number")
);

-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_organization_id_template_id_template_revision_fkey" FOREIGN KEY ("organization_id", "template_id", "template_revision") REFERENCES "template_revisions"("organization_id", "template_id", "number") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "template_revisions" ADD CONSTRAINT "template_revisions_organization_id_template_id_fkey" FOREIGN KEY ("organization_id", "template_id") REFERENCES "templates"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;


-- A revision stays what it was when contracts were made from it.
CREATE TRIGGER "template_revisions_append_only" BEFORE UPDATE OR DELETE ON "template_revisions"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "template_revisions_keep" BEFORE TRUNCATE ON "template_revisions"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
