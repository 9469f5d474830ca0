-- obligations_by_owner takes its place.
DROP INDEX CONCURRENTLY IF EXISTS "obligations_that_follow";
