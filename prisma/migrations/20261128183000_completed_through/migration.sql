-- Where an obligation that recurs goes on, wherever its first date moves. Those completed before have neither until they
-- next change: until then their resolved_date says it (lib/obligations/recurrence.ts).
ALTER TABLE "obligations" ADD COLUMN "completed_through" DATE,
ADD COLUMN "through_count" INTEGER;
