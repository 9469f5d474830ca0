-- A list of what began long ago is read here, half-year by half-year, each in the order of the last activity.
DROP INDEX CONCURRENTLY IF EXISTS "contracts_by_effective_half_year";
CREATE INDEX CONCURRENTLY "contracts_by_effective_half_year" ON "contracts"("organization_id", "archived",
    ((("effective_date" AT TIME ZONE 'UTC')::date - DATE '1970-01-01') / 182), "last_activity_at", "id")
  INCLUDE ("effective_date", "expires_at") WHERE "effective_date" IS NOT NULL;
