-- A list of what a member owns or sees to has all that it is filtered and ordered by in the index, and so are those found
-- that have no owner yet.
DROP INDEX CONCURRENTLY IF EXISTS "obligations_by_owner";
CREATE INDEX CONCURRENTLY "obligations_by_owner" ON "obligations"("organization_id", "owner_id")
  INCLUDE ("id", "resolved_date", "archived", "state", "kind", "assignee_id", "contract_id");
