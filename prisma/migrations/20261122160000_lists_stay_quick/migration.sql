CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Whoever changes contracts has committed before this goes on; others wait for it.
LOCK TABLE "contracts" IN SHARE ROW EXCLUSIVE MODE;

-- CreateTable
CREATE TABLE "contract_count_notes" (
    "organization_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "owner_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "our_role" TEXT NOT NULL,
    "value_currency" TEXT NOT NULL,
    "auto_renews" BOOLEAN NOT NULL,
    "counterparty_id" TEXT,
    "effective_day" DATE,
    "expires_day" DATE,
    "count" INTEGER NOT NULL,
    "valued" INTEGER NOT NULL,
    "value_cents" DECIMAL(65,0) NOT NULL,

    CONSTRAINT "contract_count_notes_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "contract_counts" (
    "organization_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "our_role" TEXT NOT NULL,
    "value_currency" TEXT NOT NULL,
    "auto_renews" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,
    "valued" INTEGER NOT NULL,
    "value_cents" DECIMAL(65,0) NOT NULL,

    CONSTRAINT "contract_counts_pkey" PRIMARY KEY ("organization_id","status","type","our_role","value_currency","auto_renews")
);

-- CreateTable
CREATE TABLE "contract_owner_counts" (
    "organization_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "contract_owner_counts_pkey" PRIMARY KEY ("organization_id","owner_id","status")
);

-- CreateTable
CREATE TABLE "contract_day_counts" (
    "organization_id" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "auto_renews" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "contract_day_counts_pkey" PRIMARY KEY ("organization_id","field","day","status","auto_renews")
);

-- CreateTable
CREATE TABLE "counterparty_contract_counts" (
    "organization_id" TEXT NOT NULL,
    "counterparty_id" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "counterparty_contract_counts_pkey" PRIMARY KEY ("organization_id","counterparty_id")
);

-- CreateTable
CREATE TABLE "contract_words" (
    "organization_id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "counterparty_id" TEXT,
    "words" TEXT NOT NULL,

    CONSTRAINT "contract_words_pkey" PRIMARY KEY ("organization_id","contract_id")
);

-- What Prisma's schema cannot say.

-- Counters change often: room beside them keeps that off their indexes.
ALTER TABLE "contract_counts" SET (fillfactor = 50);
ALTER TABLE "contract_owner_counts" SET (fillfactor = 50);
ALTER TABLE "contract_day_counts" SET (fillfactor = 50);
ALTER TABLE "counterparty_contract_counts" SET (fillfactor = 50);

-- Rows that came and went at once would have to be stepped over by every list.
ALTER TABLE "contract_count_notes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Deep pages read an index alone, as long as few pages of the table have changed since they were last tidied.
ALTER TABLE "contracts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- The counters as they are now: what is summed up, and what was noted since.
CREATE VIEW "contract_counts_now" AS
  SELECT organization_id, status, type, our_role, value_currency, auto_renews, count, valued, value_cents
    FROM contract_counts
  UNION ALL
  SELECT organization_id, status, type, our_role, value_currency, auto_renews, count, valued, value_cents
    FROM contract_count_notes;
CREATE VIEW "contract_owner_counts_now" AS
  SELECT organization_id, owner_id, status, count FROM contract_owner_counts
  UNION ALL
  SELECT organization_id, owner_id, status, count FROM contract_count_notes;
CREATE VIEW "contract_day_counts_now" AS
  SELECT organization_id, field, day, status, auto_renews, count FROM contract_day_counts
  UNION ALL
  SELECT organization_id, d.field, d.day, status, auto_renews, count
    FROM contract_count_notes n
      CROSS JOIN LATERAL (VALUES ('effective', n.effective_day), ('expires', n.expires_day)) AS d (field, day)
    WHERE d.day IS NOT NULL;
CREATE VIEW "counterparty_contract_counts_now" AS
  SELECT organization_id, counterparty_id, count FROM counterparty_contract_counts
  UNION ALL
  SELECT organization_id, counterparty_id, count FROM contract_count_notes WHERE counterparty_id IS NOT NULL;

-- To change a counter keeps everyone else who changes it waiting until the commit, and two who change several could wait
-- for each other. So a change only adds its notes, which nobody waits for, and one of many sums up what there is. One at
-- a time: whoever finds another at it leaves it to them. Counters that reach zero go, or days that contracts once had
-- would be read for ever.
CREATE FUNCTION contract_counts_fold(organization text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  notes contract_count_notes[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('contract_counts ' || organization, 0)) THEN RETURN; END IF;
  WITH folded AS (DELETE FROM contract_count_notes n WHERE organization_id = organization RETURNING n)
    SELECT array_agg(n) INTO notes FROM folded;
  MERGE INTO contract_counts c USING (
    SELECT status, type, our_role, value_currency, auto_renews, sum(count)::int AS count, sum(valued)::int AS valued,
      sum(value_cents) AS value_cents
    FROM unnest(notes) GROUP BY 1, 2, 3, 4, 5) m
  ON c.organization_id = organization AND c.status = m.status AND c.type = m.type AND c.our_role = m.our_role
    AND c.value_currency = m.value_currency AND c.auto_renews = m.auto_renews
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count, valued = c.valued + m.valued,
    value_cents = c.value_cents + m.value_cents
  WHEN NOT MATCHED AND m.count <> 0 THEN INSERT VALUES (organization, m.status, m.type, m.our_role, m.value_currency,
    m.auto_renews, m.count, m.valued, m.value_cents);
  MERGE INTO contract_owner_counts c USING (
    SELECT owner_id, status, sum(count)::int AS count FROM unnest(notes) GROUP BY 1, 2 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.owner_id = m.owner_id AND c.status = m.status
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT VALUES (organization, m.owner_id, m.status, m.count);
  MERGE INTO contract_day_counts c USING (
    SELECT d.field, d.day, status, auto_renews, sum(count)::int AS count
    FROM unnest(notes) n
      CROSS JOIN LATERAL (VALUES ('effective', n.effective_day), ('expires', n.expires_day)) AS d (field, day)
    WHERE d.day IS NOT NULL GROUP BY 1, 2, 3, 4 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.field = m.field AND c.day = m.day AND c.status = m.status
    AND c.auto_renews = m.auto_renews
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT VALUES (organization, m.field, m.day, m.status, m.auto_renews, m.count);
  MERGE INTO counterparty_contract_counts c USING (
    SELECT counterparty_id, sum(count)::int AS count FROM unnest(notes)
    WHERE counterparty_id IS NOT NULL GROUP BY 1 HAVING sum(count) <> 0) m
  ON c.organization_id = organization AND c.counterparty_id = m.counterparty_id
  WHEN MATCHED AND c.count + m.count = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET count = c.count + m.count
  WHEN NOT MATCHED THEN INSERT VALUES (organization, m.counterparty_id, m.count);
END
$$;

-- Row by row: for the one that most changes write, that is quicker than what a statement has changed together.
CREATE FUNCTION contracts_note() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  note bigint;
  is_full boolean := false;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO contract_count_notes (organization_id, owner_id, status, type, our_role, value_currency, auto_renews,
      counterparty_id, effective_day, expires_day, count, valued, value_cents)
    VALUES (OLD.organization_id, OLD.owner_id, OLD.status, OLD.type, OLD.our_role, COALESCE(OLD.value_currency, ''),
      OLD.auto_renews, OLD.counterparty_id, (OLD.effective_date AT TIME ZONE 'UTC')::date, OLD.expires_at, -1,
      -(OLD.value_cents IS NOT NULL)::int, -COALESCE(OLD.value_cents, 0)::numeric)
    RETURNING id INTO note;
    is_full := note % 256 = 0;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO contract_count_notes (organization_id, owner_id, status, type, our_role, value_currency, auto_renews,
      counterparty_id, effective_day, expires_day, count, valued, value_cents)
    VALUES (NEW.organization_id, NEW.owner_id, NEW.status, NEW.type, NEW.our_role, COALESCE(NEW.value_currency, ''),
      NEW.auto_renews, NEW.counterparty_id, (NEW.effective_date AT TIME ZONE 'UTC')::date, NEW.expires_at, 1,
      (NEW.value_cents IS NOT NULL)::int, COALESCE(NEW.value_cents, 0)::numeric)
    RETURNING id INTO note;
    is_full := is_full OR note % 256 = 0;
  END IF;
  IF is_full THEN PERFORM contract_counts_fold(COALESCE(NEW.organization_id, OLD.organization_id)); END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "contracts_note_inserted" AFTER INSERT ON "contracts" FOR EACH ROW EXECUTE FUNCTION contracts_note();
CREATE TRIGGER "contracts_note_deleted" AFTER DELETE ON "contracts" FOR EACH ROW EXECUTE FUNCTION contracts_note();
CREATE TRIGGER "contracts_note_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN ((OLD.status, OLD.type, OLD.our_role, OLD.value_currency, OLD.auto_renews, OLD.owner_id, OLD.counterparty_id,
      OLD.effective_date, OLD.expires_at, OLD.value_cents)
    IS DISTINCT FROM (NEW.status, NEW.type, NEW.our_role, NEW.value_currency, NEW.auto_renews, NEW.owner_id,
      NEW.counterparty_id, NEW.effective_date, NEW.expires_at, NEW.value_cents))
  EXECUTE FUNCTION contracts_note();

-- A text in lower case, with a mark before the beginning of each word and before every sign that is neither letter nor
-- digit nor space: what one or two letters are searched behind. The mark itself is nothing that could be searched.
CREATE FUNCTION words_of(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(lower(translate(words, E'\x01', ' ')), '(\m\w|[^\w\s])', E'\x01\\1', 'g')
$$;

-- What `words_of` is LIKE where it has these letters: one or two at the beginning of a word, three or more anywhere. In
-- the middle of a word there is no mark.
CREATE FUNCTION words_with(letters text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(
    CASE WHEN char_length(letters) <= 2 THEN words_of(letters) ELSE ltrim(words_of(letters), E'\x01') END,
    '([\\%_])', '\\\1', 'g') || '%'
$$;

CREATE FUNCTION contract_words_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      INSERT INTO contract_words VALUES (NEW.organization_id, NEW.id, NEW.counterparty_id, words_of(NEW.title));
    WHEN 'UPDATE' THEN
      UPDATE contract_words SET counterparty_id = NEW.counterparty_id, words = words_of(NEW.title)
        WHERE organization_id = NEW.organization_id AND contract_id = NEW.id;
    ELSE
      DELETE FROM contract_words WHERE organization_id = OLD.organization_id AND contract_id = OLD.id;
  END CASE;
  RETURN NULL;
END
$$;
CREATE TRIGGER "contract_words_inserted" AFTER INSERT ON "contracts"
  FOR EACH ROW EXECUTE FUNCTION contract_words_follow();
CREATE TRIGGER "contract_words_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN ((OLD.title, OLD.counterparty_id) IS DISTINCT FROM (NEW.title, NEW.counterparty_id))
  EXECUTE FUNCTION contract_words_follow();
CREATE TRIGGER "contract_words_deleted" AFTER DELETE ON "contracts"
  FOR EACH ROW EXECUTE FUNCTION contract_words_follow();

ALTER TABLE "counterparties" ADD COLUMN "words" TEXT NOT NULL GENERATED ALWAYS AS (words_of("name")) STORED;

-- What is there already is counted and written down once.
INSERT INTO contract_counts
  SELECT organization_id, status, type, our_role, COALESCE(value_currency, ''), auto_renews, count(*), count(value_cents),
    COALESCE(sum(value_cents), 0)
  FROM contracts GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO contract_owner_counts SELECT organization_id, owner_id, status, count(*) FROM contracts GROUP BY 1, 2, 3;
INSERT INTO contract_day_counts
  SELECT organization_id, d.field, d.day, status, auto_renews, count(*)
  FROM contracts CROSS JOIN LATERAL (VALUES ('effective', (effective_date AT TIME ZONE 'UTC')::date),
    ('expires', expires_at)) AS d (field, day)
  WHERE d.day IS NOT NULL GROUP BY 1, 2, 3, 4, 5;
INSERT INTO counterparty_contract_counts
  SELECT organization_id, counterparty_id, count(*) FROM contracts WHERE counterparty_id IS NOT NULL GROUP BY 1, 2;
INSERT INTO contract_words SELECT organization_id, id, counterparty_id, words_of(title) FROM contracts;

-- Trigrams of one workspace's words alone: what others have in theirs costs nothing. They have the beginnings of words,
-- too. New ones wait beside the index until there are many, but not for so many that searches read them at length.
DROP INDEX "contracts_title_trigrams";
DROP INDEX "counterparties_name_trigrams";
CREATE INDEX "contract_words_trigrams" ON "contract_words" USING gin ("organization_id", "words" gin_trgm_ops)
  WITH (gin_pending_list_limit = 2048);
CREATE INDEX "counterparties_name_trigrams" ON "counterparties" USING gin ("organization_id", "name" gin_trgm_ops);
CREATE INDEX "counterparties_words_trigrams" ON "counterparties" USING gin ("organization_id", "words" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "contract_words_organization_id_counterparty_id_idx" ON "contract_words"("organization_id", "counterparty_id");

-- DropIndex
DROP INDEX "contracts_organization_id_counterparty_id_idx";

-- DropIndex
DROP INDEX "contracts_organization_id_expires_at_idx";

-- CreateIndex
CREATE INDEX "contracts_organization_id_owner_id_last_activity_at_id_idx" ON "contracts"("organization_id", "owner_id", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_counterparty_id_last_activity_at_id_idx" ON "contracts"("organization_id", "counterparty_id", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_created_at_id_idx" ON "contracts"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_updated_at_id_idx" ON "contracts"("organization_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_status_changed_at_id_idx" ON "contracts"("organization_id", "status_changed_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_effective_date_id_idx" ON "contracts"("organization_id", "effective_date", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_executed_at_id_idx" ON "contracts"("organization_id", "executed_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_expires_at_id_idx" ON "contracts"("organization_id", "expires_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_value_cents_id_idx" ON "contracts"("organization_id", "value_cents", "id");

-- What several filters find together, whichever they are: few values, so it is small.
-- CreateIndex
CREATE INDEX "contracts_alike" ON "contracts"("organization_id", "type", "our_role", "status", "value_currency", "auto_renews");

-- Filters of few values have no index in the order that lists have by themselves: that order has their values beside it.
DROP INDEX "contracts_organization_id_last_activity_at_id_idx";
CREATE INDEX "contracts_by_activity" ON "contracts"("organization_id", "last_activity_at", "id")
  INCLUDE ("type", "our_role", "value_currency", "auto_renews");

-- With the title itself, so that a deep page reads no more than the index.
DROP INDEX "contracts_organization_id_title";
CREATE INDEX "contracts_organization_id_title" ON "contracts"("organization_id", lower("title"), "id") INCLUDE ("title");

CREATE INDEX "obligations_title_trigrams" ON "obligations" USING gin ("organization_id", "title" gin_trgm_ops);
