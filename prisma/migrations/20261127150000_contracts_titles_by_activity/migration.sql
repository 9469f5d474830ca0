-- A search reads the latest contracts here. It has an index of its own: other lists read theirs quicker without titles.
DROP INDEX CONCURRENTLY IF EXISTS "contracts_titles_by_activity";
CREATE INDEX CONCURRENTLY "contracts_titles_by_activity" ON "contracts"("organization_id", "archived", "last_activity_at", "id")
  INCLUDE ("counterparty_id", "title");
