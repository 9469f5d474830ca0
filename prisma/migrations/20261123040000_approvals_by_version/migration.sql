-- Deleting a version looks for approvals of it.
DROP INDEX CONCURRENTLY IF EXISTS "approvals_organization_id_version_id_idx";
CREATE INDEX CONCURRENTLY "approvals_organization_id_version_id_idx" ON "approvals"("organization_id", "version_id");
