-- Obligations that are assigned to no one follow their contract's owner: a member's list finds them contract by contract,
-- and has all that it is filtered and ordered by in the index.
DROP INDEX CONCURRENTLY IF EXISTS "obligations_that_follow";
CREATE INDEX CONCURRENTLY "obligations_that_follow" ON "obligations"("organization_id", "contract_id")
  INCLUDE ("id", "resolved_date", "archived", "state", "kind") WHERE "assignee_id" IS NULL;
