-- CreateTable
CREATE TABLE "obligation_count_notes" (
    "organization_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "obligation_count_notes_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "obligation_day_counts" (
    "organization_id" TEXT NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "obligation_day_counts_pkey" PRIMARY KEY ("organization_id","archived","state","day")
);

-- CreateTable
CREATE TABLE "obligation_kind_counts" (
    "organization_id" TEXT NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "obligation_kind_counts_pkey" PRIMARY KEY ("organization_id","archived","state","kind")
);

-- Counters change often: room beside them keeps that off their index. Notes come and go at once.
ALTER TABLE "obligation_day_counts" SET (fillfactor = 50);
ALTER TABLE "obligation_kind_counts" SET (fillfactor = 50);
ALTER TABLE "obligation_count_notes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The counters as they are now: what is summed up, and what was noted since.
CREATE VIEW "obligation_day_counts_now" AS
  SELECT organization_id, archived, state, day, count FROM obligation_day_counts
  UNION ALL
  SELECT organization_id, archived, state, day, count FROM obligation_count_notes;
CREATE VIEW "obligation_kind_counts_now" AS
  SELECT organization_id, archived, state, kind, count FROM obligation_kind_counts
  UNION ALL
  SELECT organization_id, archived, state, kind, count FROM obligation_count_notes;

-- As contract_counts_fold: one at a time sums up what was noted, and counters that reach zero go.
CREATE FUNCTION obligation_counts_fold(organization text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  notes obligation_count_notes[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('obligation_counts ' || organization, 0)) THEN RETURN; END IF;
  WITH folded AS (DELETE FROM obligation_count_notes n WHERE organization_id = organization RETURNING n)
    SELECT array_agg(n) INTO notes FROM folded;
  MERGE INTO obligation_day_counts c USING (
    SELECT archived, state, day, sum(count)::int AS count FROM unnest(notes) GROUP BY 1, 2, 3 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.archived = m.archived AND c.state = m.state AND c.day = m.day
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT (organization_id, archived, state, day, count)
    VALUES (organization, m.archived, m.state, m.day, m.count);
  MERGE INTO obligation_kind_counts c USING (
    SELECT archived, state, kind, sum(count)::int AS count FROM unnest(notes) GROUP BY 1, 2, 3 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.archived = m.archived AND c.state = m.state AND c.kind = m.kind
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT (organization_id, archived, state, kind, count)
    VALUES (organization, m.archived, m.state, m.kind, m.count);
END
$$;

-- What a statement has moved, all its rows together: most change no counter.
CREATE FUNCTION obligations_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organization text;
  full_ones text[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH noted AS (
      INSERT INTO obligation_count_notes (organization_id, archived, state, kind, day, count)
      SELECT organization_id, archived, state, kind, COALESCE(resolved_date, 'infinity'), count(*)
      FROM added GROUP BY 1, 2, 3, 4, 5 RETURNING organization_id, id)
    SELECT array_agg(DISTINCT organization_id) INTO full_ones FROM noted WHERE id % 256 = 0;
  ELSIF TG_OP = 'DELETE' THEN
    WITH noted AS (
      INSERT INTO obligation_count_notes (organization_id, archived, state, kind, day, count)
      SELECT organization_id, archived, state, kind, COALESCE(resolved_date, 'infinity'), -count(*)
      FROM gone GROUP BY 1, 2, 3, 4, 5 RETURNING organization_id, id)
    SELECT array_agg(DISTINCT organization_id) INTO full_ones FROM noted WHERE id % 256 = 0;
  ELSE
    WITH moved AS (
      SELECT organization_id, archived, state, kind, COALESCE(resolved_date, 'infinity') AS day, -1 AS count FROM gone
      UNION ALL
      SELECT organization_id, archived, state, kind, COALESCE(resolved_date, 'infinity'), 1 FROM added),
    noted AS (
      INSERT INTO obligation_count_notes (organization_id, archived, state, kind, day, count)
      SELECT organization_id, archived, state, kind, day, sum(count) FROM moved
      GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0 RETURNING organization_id, id)
    SELECT array_agg(DISTINCT organization_id) INTO full_ones FROM noted WHERE id % 256 = 0;
  END IF;
  FOREACH organization IN ARRAY COALESCE(full_ones, '{}') LOOP
    PERFORM obligation_counts_fold(organization);
  END LOOP;
  RETURN NULL;
END
$$;

CREATE TRIGGER obligations_note_added AFTER INSERT ON "obligations"
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION obligations_note();
CREATE TRIGGER obligations_note_gone AFTER DELETE ON "obligations"
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION obligations_note();
CREATE TRIGGER obligations_note_moved AFTER UPDATE ON "obligations"
  REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION obligations_note();

-- What there was before. Until the commit the triggers keep changes of obligations waiting: 2 million take some seconds.
INSERT INTO obligation_day_counts (organization_id, archived, state, day, count)
  SELECT organization_id, archived, state, COALESCE(resolved_date, 'infinity'), count(*)
  FROM obligations GROUP BY 1, 2, 3, 4;
INSERT INTO obligation_kind_counts (organization_id, archived, state, kind, count)
  SELECT organization_id, archived, state, kind, count(*) FROM obligations GROUP BY 1, 2, 3, 4;
