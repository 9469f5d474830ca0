-- AlterTable
ALTER TABLE "obligations" ADD COLUMN     "assignee_id" TEXT,
ADD COLUMN     "assignee_told" TEXT;

-- CreateIndex
CREATE INDEX "obligations_organization_id_assignee_id_idx" ON "obligations"("organization_id", "assignee_id");

-- AddForeignKey
ALTER TABLE "obligations" ADD CONSTRAINT "obligations_organization_id_assignee_id_fkey" FOREIGN KEY ("organization_id", "assignee_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What Prisma's schema cannot say: who has not been told yet is looked for every minute, in all workspaces.
CREATE INDEX "obligations_assigned_untold" ON "obligations"("organization_id", "id")
  WHERE "assignee_id" IS NOT NULL AND "assignee_told" IS DISTINCT FROM "assignee_id" AND "state" = 'OPEN';
