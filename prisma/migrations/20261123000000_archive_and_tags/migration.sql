-- Whoever changes contracts has committed before this goes on; others wait for it.
LOCK TABLE "contracts" IN ACCESS EXCLUSIVE MODE;
LOCK TABLE "contract_count_notes" IN ACCESS EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "contracts" ADD COLUMN "archived_at" TIMESTAMPTZ(3),
  ADD COLUMN "tags" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "archived" BOOLEAN NOT NULL GENERATED ALWAYS AS ("archived_at" IS NOT NULL) STORED;
ALTER TABLE "obligations" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "contract_words" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "contract_words" ALTER COLUMN "archived" DROP DEFAULT;

-- What is counted begins with whether it is archived, for every list asks for it.
DROP VIEW "contract_counts_now", "contract_owner_counts_now", "contract_day_counts_now", "counterparty_contract_counts_now";

ALTER TABLE "contract_count_notes" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "tags" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "contract_count_notes" ALTER COLUMN "archived" DROP DEFAULT, ALTER COLUMN "tags" DROP DEFAULT;

ALTER TABLE "contract_counts" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "contract_counts" ALTER COLUMN "archived" DROP DEFAULT;
ALTER TABLE "contract_counts" DROP CONSTRAINT "contract_counts_pkey",
  ADD CONSTRAINT "contract_counts_pkey"
    PRIMARY KEY ("organization_id", "archived", "status", "type", "our_role", "value_currency", "auto_renews");

ALTER TABLE "contract_owner_counts" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "contract_owner_counts" ALTER COLUMN "archived" DROP DEFAULT;
ALTER TABLE "contract_owner_counts" DROP CONSTRAINT "contract_owner_counts_pkey",
  ADD CONSTRAINT "contract_owner_counts_pkey" PRIMARY KEY ("organization_id", "owner_id", "archived", "status");

ALTER TABLE "contract_day_counts" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "contract_day_counts" ALTER COLUMN "archived" DROP DEFAULT;
ALTER TABLE "contract_day_counts" DROP CONSTRAINT "contract_day_counts_pkey",
  ADD CONSTRAINT "contract_day_counts_pkey"
    PRIMARY KEY ("organization_id", "archived", "field", "day", "status", "auto_renews");

ALTER TABLE "counterparty_contract_counts" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "counterparty_contract_counts" ALTER COLUMN "archived" DROP DEFAULT;
ALTER TABLE "counterparty_contract_counts" DROP CONSTRAINT "counterparty_contract_counts_pkey",
  ADD CONSTRAINT "counterparty_contract_counts_pkey" PRIMARY KEY ("organization_id", "counterparty_id", "archived");

-- CreateTable
CREATE TABLE "contract_tags" (
    "organization_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,

    CONSTRAINT "contract_tags_pkey" PRIMARY KEY ("organization_id","key","contract_id")
);

-- CreateTable
CREATE TABLE "contract_tag_counts" (
    "organization_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "tag" TEXT NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "contract_tag_counts_pkey" PRIMARY KEY ("organization_id","key","tag","archived")
);
ALTER TABLE "contract_tag_counts" SET (fillfactor = 50);

CREATE VIEW "contract_counts_now" AS
  SELECT organization_id, archived, status, type, our_role, value_currency, auto_renews, count, valued, value_cents
    FROM contract_counts
  UNION ALL
  SELECT organization_id, archived, status, type, our_role, value_currency, auto_renews, count, valued, value_cents
    FROM contract_count_notes;
CREATE VIEW "contract_owner_counts_now" AS
  SELECT organization_id, owner_id, archived, status, count FROM contract_owner_counts
  UNION ALL
  SELECT organization_id, owner_id, archived, status, count FROM contract_count_notes;
CREATE VIEW "contract_day_counts_now" AS
  SELECT organization_id, archived, field, day, status, auto_renews, count FROM contract_day_counts
  UNION ALL
  SELECT organization_id, archived, d.field, d.day, status, auto_renews, count
    FROM contract_count_notes n
      CROSS JOIN LATERAL (VALUES ('effective', n.effective_day), ('expires', n.expires_day)) AS d (field, day)
    WHERE d.day IS NOT NULL;
CREATE VIEW "counterparty_contract_counts_now" AS
  SELECT organization_id, counterparty_id, archived, count FROM counterparty_contract_counts
  UNION ALL
  SELECT organization_id, counterparty_id, archived, count FROM contract_count_notes WHERE counterparty_id IS NOT NULL;
CREATE VIEW "contract_tag_counts_now" AS
  SELECT organization_id, key, tag, archived, count FROM contract_tag_counts
  UNION ALL
  SELECT organization_id, lower(t.tag), t.tag, archived, count
    FROM contract_count_notes n CROSS JOIN LATERAL unnest(n.tags) AS t (tag);

-- As before, with what is archived apart, and tags.
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
END
$$;

CREATE OR REPLACE FUNCTION contracts_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  note bigint;
  is_full boolean := false;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO contract_count_notes (organization_id, owner_id, archived, tags, status, type, our_role, value_currency,
      auto_renews, counterparty_id, effective_day, expires_day, count, valued, value_cents)
    VALUES (OLD.organization_id, OLD.owner_id, OLD.archived, OLD.tags, OLD.status, OLD.type, OLD.our_role,
      COALESCE(OLD.value_currency, ''), OLD.auto_renews, OLD.counterparty_id,
      (OLD.effective_date AT TIME ZONE 'UTC')::date, OLD.expires_at, -1,
      -(OLD.value_cents IS NOT NULL)::int, -COALESCE(OLD.value_cents, 0)::numeric)
    RETURNING id INTO note;
    is_full := note % 256 = 0;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO contract_count_notes (organization_id, owner_id, archived, tags, status, type, our_role, value_currency,
      auto_renews, counterparty_id, effective_day, expires_day, count, valued, value_cents)
    VALUES (NEW.organization_id, NEW.owner_id, NEW.archived, NEW.tags, NEW.status, NEW.type, NEW.our_role,
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
DROP TRIGGER "contracts_note_updated" ON "contracts";
CREATE TRIGGER "contracts_note_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN ((OLD.status, OLD.type, OLD.our_role, OLD.value_currency, OLD.auto_renews, OLD.owner_id, OLD.counterparty_id,
      OLD.effective_date, OLD.expires_at, OLD.value_cents, OLD.archived, OLD.tags)
    IS DISTINCT FROM (NEW.status, NEW.type, NEW.our_role, NEW.value_currency, NEW.auto_renews, NEW.owner_id,
      NEW.counterparty_id, NEW.effective_date, NEW.expires_at, NEW.value_cents, NEW.archived, NEW.tags))
  EXECUTE FUNCTION contracts_note();

-- The workspace's number of contracts is that of its lists: without what is archived.
CREATE OR REPLACE FUNCTION contracts_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted record;
BEGIN
  FOR counted IN
    SELECT organization_id, (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END * count(*))::int AS delta
    FROM counted_rows WHERE NOT archived GROUP BY organization_id ORDER BY organization_id
  LOOP
    UPDATE workspace_heads SET contract_count = contract_count + counted.delta
      WHERE organization_id = counted.organization_id AND xmin = pg_current_xact_id()::xid;
    CONTINUE WHEN FOUND;
    INSERT INTO contract_count_changes (organization_id, delta) VALUES (counted.organization_id, counted.delta);
  END LOOP;
  RETURN NULL;
END
$$;
CREATE FUNCTION contracts_count_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contract_count_changes (organization_id, delta)
    VALUES (NEW.organization_id, CASE WHEN NEW.archived THEN -1 ELSE 1 END);
  RETURN NULL;
END
$$;
CREATE TRIGGER "contracts_count_archived" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN (OLD.archived IS DISTINCT FROM NEW.archived) EXECUTE FUNCTION contracts_count_archived();

-- As before, and whether it is archived.
CREATE OR REPLACE FUNCTION contract_words_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      INSERT INTO contract_words (organization_id, contract_id, counterparty_id, words, archived)
        VALUES (NEW.organization_id, NEW.id, NEW.counterparty_id, words_of(NEW.title), NEW.archived);
    WHEN 'UPDATE' THEN
      UPDATE contract_words
        SET counterparty_id = NEW.counterparty_id, words = words_of(NEW.title), archived = NEW.archived
        WHERE organization_id = NEW.organization_id AND contract_id = NEW.id;
    ELSE
      DELETE FROM contract_words WHERE organization_id = OLD.organization_id AND contract_id = OLD.id;
  END CASE;
  RETURN NULL;
END
$$;
DROP TRIGGER "contract_words_updated" ON "contracts";
CREATE TRIGGER "contract_words_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN ((OLD.title, OLD.counterparty_id, OLD.archived) IS DISTINCT FROM (NEW.title, NEW.counterparty_id, NEW.archived))
  EXECUTE FUNCTION contract_words_follow();

-- A contract's tags as lists are filtered by them, apart from it, so that only a change of them is written there.
CREATE FUNCTION contract_tags_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM contract_tags WHERE organization_id = OLD.organization_id AND contract_id = OLD.id
      AND key IN (SELECT lower(tag) FROM unnest(OLD.tags) AS tag);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO contract_tags SELECT DISTINCT NEW.organization_id, lower(tag), NEW.id FROM unnest(NEW.tags) AS tag;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "contract_tags_inserted" AFTER INSERT ON "contracts" FOR EACH ROW
  WHEN (NEW.tags <> '{}') EXECUTE FUNCTION contract_tags_follow();
CREATE TRIGGER "contract_tags_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN (OLD.tags IS DISTINCT FROM NEW.tags) EXECUTE FUNCTION contract_tags_follow();
CREATE TRIGGER "contract_tags_deleted" AFTER DELETE ON "contracts" FOR EACH ROW
  WHEN (OLD.tags <> '{}') EXECUTE FUNCTION contract_tags_follow();

-- An obligation is out of sight with its contract. Whoever makes one keeps the contract as it is until the commit.
CREATE FUNCTION obligations_follow_archive() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE obligations SET archived = NEW.archived
    WHERE organization_id = NEW.organization_id AND contract_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER "obligations_follow_archive" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN (OLD.archived IS DISTINCT FROM NEW.archived) EXECUTE FUNCTION obligations_follow_archive();
CREATE FUNCTION obligations_begin_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT archived INTO NEW.archived FROM contracts
    WHERE organization_id = NEW.organization_id AND id = NEW.contract_id;
  NEW.archived := COALESCE(NEW.archived, false);
  RETURN NEW;
END
$$;
CREATE TRIGGER "obligations_begin_archived" BEFORE INSERT ON "obligations" FOR EACH ROW
  EXECUTE FUNCTION obligations_begin_archived();

-- Every list says whether it has what is archived: that comes first in what it is ordered by, and after what it is
-- filtered by.
DROP INDEX "contracts_by_activity";
CREATE INDEX "contracts_by_activity" ON "contracts"("organization_id", "archived", "last_activity_at", "id")
  INCLUDE ("type", "our_role", "value_currency", "auto_renews");
DROP INDEX "contracts_organization_id_title";
CREATE INDEX "contracts_organization_id_title" ON "contracts"("organization_id", "archived", lower("title"), "id")
  INCLUDE ("title");
DROP INDEX "contracts_alike";
CREATE INDEX "contracts_alike" ON "contracts"("organization_id", "archived", "type", "our_role", "status",
  "value_currency", "auto_renews");

-- DropIndex
DROP INDEX "contracts_organization_id_status_last_activity_at_id_idx";
DROP INDEX "contracts_organization_id_owner_id_last_activity_at_id_idx";
DROP INDEX "contracts_organization_id_counterparty_id_last_activity_at_id_idx";
DROP INDEX "contracts_organization_id_created_at_id_idx";
DROP INDEX "contracts_organization_id_updated_at_id_idx";
DROP INDEX "contracts_organization_id_status_changed_at_id_idx";
DROP INDEX "contracts_organization_id_effective_date_id_idx";
DROP INDEX "contracts_organization_id_executed_at_id_idx";
DROP INDEX "contracts_organization_id_expires_at_id_idx";
DROP INDEX "contracts_organization_id_value_cents_id_idx";
DROP INDEX "obligations_organization_id_resolved_date_id_idx";
DROP INDEX "obligations_organization_id_state_resolved_date_id_idx";

-- CreateIndex
CREATE INDEX "contracts_by_status" ON "contracts"("organization_id", "status", "archived", "last_activity_at", "id");
CREATE INDEX "contracts_by_owner" ON "contracts"("organization_id", "owner_id", "archived", "last_activity_at", "id");
CREATE INDEX "contracts_by_counterparty" ON "contracts"("organization_id", "counterparty_id", "archived", "last_activity_at", "id");
CREATE INDEX "contracts_organization_id_archived_created_at_id_idx" ON "contracts"("organization_id", "archived", "created_at", "id");
CREATE INDEX "contracts_organization_id_archived_updated_at_id_idx" ON "contracts"("organization_id", "archived", "updated_at", "id");
CREATE INDEX "contracts_organization_id_archived_status_changed_at_id_idx" ON "contracts"("organization_id", "archived", "status_changed_at", "id");
CREATE INDEX "contracts_organization_id_archived_effective_date_id_idx" ON "contracts"("organization_id", "archived", "effective_date", "id");
CREATE INDEX "contracts_organization_id_archived_executed_at_id_idx" ON "contracts"("organization_id", "archived", "executed_at", "id");
CREATE INDEX "contracts_organization_id_archived_expires_at_id_idx" ON "contracts"("organization_id", "archived", "expires_at", "id");
CREATE INDEX "contracts_organization_id_archived_value_cents_id_idx" ON "contracts"("organization_id", "archived", "value_cents", "id");
CREATE INDEX "obligations_organization_id_archived_resolved_date_id_idx" ON "obligations"("organization_id", "archived", "resolved_date", "id");
CREATE INDEX "obligations_organization_id_archived_state_resolved_date_id_idx" ON "obligations"("organization_id", "archived", "state", "resolved_date", "id");
