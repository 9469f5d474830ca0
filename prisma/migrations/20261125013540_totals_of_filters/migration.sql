-- AlterTable
ALTER TABLE "contract_count_notes" ADD COLUMN "title" TEXT;

-- CreateTable
CREATE TABLE "contract_filter_totals" (
    "organization_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "archived" BOOLEAN,
    "statuses" TEXT[],
    "types" TEXT[],
    "our_roles" TEXT[],
    "value_currencies" TEXT[],
    "auto_renews" BOOLEAN,
    "owner_id" TEXT,
    "counterparty_id" TEXT,
    "effective_from" DATE,
    "effective_to" DATE,
    "expires_from" DATE,
    "expires_to" DATE,
    "tags" TEXT[],
    "pattern" TEXT,
    "parties" TEXT[],
    "count" INTEGER NOT NULL,
    "kept_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contract_filter_totals_pkey" PRIMARY KEY ("organization_id","key")
);

-- Totals change often: room beside them keeps that off their index.
ALTER TABLE "contract_filter_totals" SET (fillfactor = 50);

-- As before, with totals of filters that no counter has: a note says of a contract all that they compare.
CREATE OR REPLACE FUNCTION contract_counts_fold(organization text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  notes contract_count_notes[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('contract_counts ' || organization, 0)) THEN RETURN; END IF;
  WITH folded AS (DELETE FROM contract_count_notes n WHERE organization_id = organization RETURNING n)
    SELECT array_agg(n) INTO notes FROM folded;
  MERGE INTO contract_counts c USING (
    SELECT archived, status, type, our_role, value_currency, auto_renews, sum(count)::int AS count,
      sum(valued)::int AS valued, sum(value_cents) AS value_cents
    FROM unnest(notes) GROUP BY 1, 2, 3, 4, 5, 6) m
  ON c.organization_id = organization AND c.archived = m.archived AND c.status = m.status AND c.type = m.type
    AND c.our_role = m.our_role AND c.value_currency = m.value_currency AND c.auto_renews = m.auto_renews
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count, valued = c.valued + m.valued,
    value_cents = c.value_cents + m.value_cents
  WHEN NOT MATCHED AND m.count <> 0 THEN
    INSERT (organization_id, archived, status, type, our_role, value_currency, auto_renews, count, valued, value_cents)
    VALUES (organization, m.archived, m.status, m.type, m.our_role, m.value_currency, m.auto_renews, m.count, m.valued,
      m.value_cents);
  MERGE INTO contract_owner_counts c USING (
    SELECT owner_id, archived, status, sum(count)::int AS count FROM unnest(notes) GROUP BY 1, 2, 3
    HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.owner_id = m.owner_id AND c.archived = m.archived AND c.status = m.status
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT (organization_id, owner_id, archived, status, count)
    VALUES (organization, m.owner_id, m.archived, m.status, m.count);
  MERGE INTO contract_day_counts c USING (
    SELECT archived, d.field, d.day, status, auto_renews, sum(count)::int AS count
    FROM unnest(notes) n
      CROSS JOIN LATERAL (VALUES ('effective', n.effective_day), ('expires', n.expires_day)) AS d (field, day)
    WHERE d.day IS NOT NULL GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.archived = m.archived AND c.field = m.field AND c.day = m.day
    AND c.status = m.status AND c.auto_renews = m.auto_renews
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT (organization_id, archived, field, day, status, auto_renews, count)
    VALUES (organization, m.archived, m.field, m.day, m.status, m.auto_renews, m.count);
  MERGE INTO counterparty_contract_counts c USING (
    SELECT counterparty_id, archived, sum(count)::int AS count FROM unnest(notes)
    WHERE counterparty_id IS NOT NULL GROUP BY 1, 2 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.counterparty_id = m.counterparty_id AND c.archived = m.archived
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT (organization_id, counterparty_id, archived, count)
    VALUES (organization, m.counterparty_id, m.archived, m.count);
  MERGE INTO contract_tag_counts c USING (
    SELECT lower(t.tag) AS key, t.tag, archived, sum(count)::int AS count
    FROM unnest(notes) n CROSS JOIN LATERAL unnest(n.tags) AS t (tag)
    GROUP BY 1, 2, 3 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.key = m.key AND c.tag = m.tag AND c.archived = m.archived
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT (organization_id, key, tag, archived, count)
    VALUES (organization, m.key, m.tag, m.archived, m.count);
  -- Most workspaces have none of these.
  IF EXISTS (SELECT FROM contract_filter_totals WHERE organization_id = organization) THEN
    WITH noted AS MATERIALIZED (
      SELECT n.*, words_of(n.title) AS words, ARRAY(SELECT lower(tag) FROM unnest(n.tags) AS tag) AS keys
      FROM unnest(notes) n),
    named AS (
      SELECT key, unnest(parties) AS party FROM contract_filter_totals WHERE organization_id = organization),
    moved AS (
      SELECT t.key, sum(n.count)::int AS count
      FROM contract_filter_totals t CROSS JOIN noted n
        LEFT JOIN named p ON p.key = t.key AND p.party = n.counterparty_id
      WHERE t.organization_id = organization
        AND (t.archived IS NULL OR n.archived = t.archived)
        AND (t.statuses IS NULL OR n.status = ANY(t.statuses))
        AND (t.types IS NULL OR n.type = ANY(t.types))
        AND (t.our_roles IS NULL OR n.our_role = ANY(t.our_roles))
        AND (t.value_currencies IS NULL OR n.value_currency = ANY(t.value_currencies))
        AND (t.auto_renews IS NULL OR n.auto_renews = t.auto_renews)
        AND (t.owner_id IS NULL OR n.owner_id = t.owner_id)
        AND (t.counterparty_id IS NULL OR n.counterparty_id = t.counterparty_id)
        AND (t.effective_from IS NULL OR n.effective_day >= t.effective_from)
        AND (t.effective_to IS NULL OR n.effective_day <= t.effective_to)
        AND (t.expires_from IS NULL OR n.expires_day >= t.expires_from)
        AND (t.expires_to IS NULL OR n.expires_day <= t.expires_to)
        AND (t.tags IS NULL OR n.keys @> t.tags)
        AND (t.pattern IS NULL OR p.key IS NOT NULL OR n.words LIKE t.pattern)
      GROUP BY t.key HAVING sum(n.count) <> 0)
    UPDATE contract_filter_totals t SET count = t.count + m.count FROM moved m
      WHERE t.organization_id = organization AND t.key = m.key;
  END IF;
END
$$;

-- As before, and what the contract is called.
CREATE OR REPLACE FUNCTION contracts_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  note bigint;
  is_full boolean := false;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO contract_count_notes (organization_id, owner_id, archived, tags, title, status, type, our_role,
      value_currency, auto_renews, counterparty_id, effective_day, expires_day, count, valued, value_cents)
    VALUES (OLD.organization_id, OLD.owner_id, OLD.archived, OLD.tags, OLD.title, OLD.status, OLD.type, OLD.our_role,
      COALESCE(OLD.value_currency, ''), OLD.auto_renews, OLD.counterparty_id,
      (OLD.effective_date AT TIME ZONE 'UTC')::date, OLD.expires_at, -1,
      -(OLD.value_cents IS NOT NULL)::int, -COALESCE(OLD.value_cents, 0)::numeric)
    RETURNING id INTO note;
    is_full := note % 256 = 0;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO contract_count_notes (organization_id, owner_id, archived, tags, title, status, type, our_role,
      value_currency, auto_renews, counterparty_id, effective_day, expires_day, count, valued, value_cents)
    VALUES (NEW.organization_id, NEW.owner_id, NEW.archived, NEW.tags, NEW.title, NEW.status, NEW.type, NEW.our_role,
      COALESCE(NEW.value_currency, ''), NEW.auto_renews, NEW.counterparty_id,
      (NEW.effective_date AT TIME ZONE 'UTC')::date, NEW.expires_at, 1,
      (NEW.value_cents IS NOT NULL)::int, COALESCE(NEW.value_cents, 0)::numeric)
    RETURNING id INTO note;
    is_full := is_full OR note % 256 = 0;
  END IF;
  IF is_full THEN PERFORM contract_counts_fold(COALESCE(NEW.organization_id, OLD.organization_id)); END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER "contracts_note_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN ((OLD.status, OLD.type, OLD.our_role, OLD.value_currency, OLD.auto_renews, OLD.owner_id, OLD.counterparty_id,
      OLD.effective_date, OLD.expires_at, OLD.value_cents, OLD.archived, OLD.tags, OLD.title)
    IS DISTINCT FROM (NEW.status, NEW.type, NEW.our_role, NEW.value_currency, NEW.auto_renews, NEW.owner_id,
      NEW.counterparty_id, NEW.effective_date, NEW.expires_at, NEW.value_cents, NEW.archived, NEW.tags, NEW.title))
  EXECUTE FUNCTION contracts_note();
