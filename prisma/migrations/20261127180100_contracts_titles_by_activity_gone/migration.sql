-- contracts_titles_and_dates_by_activity has what it had.
DROP INDEX CONCURRENTLY IF EXISTS "contracts_titles_by_activity";
