-- As contracts_by_effective_half_year, of what ended long ago.
DROP INDEX CONCURRENTLY IF EXISTS "contracts_by_expiry_half_year";
CREATE INDEX CONCURRENTLY "contracts_by_expiry_half_year" ON "contracts"("organization_id", "archived",
    (("expires_at" - DATE '1970-01-01') / 182), "last_activity_at", "id")
  INCLUDE ("effective_date", "expires_at") WHERE "expires_at" IS NOT NULL;
