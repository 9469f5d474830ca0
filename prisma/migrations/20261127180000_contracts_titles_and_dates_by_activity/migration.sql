-- As contracts_titles_by_activity, with the days that lists are filtered by.
DROP INDEX CONCURRENTLY IF EXISTS "contracts_titles_and_dates_by_activity";
CREATE INDEX CONCURRENTLY "contracts_titles_and_dates_by_activity" ON "contracts"("organization_id", "archived", "last_activity_at", "id")
  INCLUDE ("counterparty_id", "title", "effective_date", "expires_at");
