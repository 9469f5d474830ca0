CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Whoever changes contracts has committed before this goes on; others wait for it.
LOCK TABLE "contracts" IN SHARE ROW EXCLUSIVE MODE;

-- What a contract counts for. delta is 1 where it came, -1 where it went; a change is both.
CREATE TYPE counted_contract AS (
  delta int, status text, type text, our_role text, value_currency text, auto_renews boolean, owner_id text,
  counterparty_id text, effective_day date, expires_day date, value_cents bigint
);

-- DropTable
DROP TRIGGER "contracts_count_inserted" ON "contracts";
DROP TRIGGER "contracts_count_deleted" ON "contracts";
DROP TABLE "contract_count_changes";
DROP FUNCTION contract_count_changes_apply();

-- CreateTable
CREATE TABLE "contract_count_changes" (
    "organization_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "contracts" counted_contract[] NOT NULL,

    CONSTRAINT "contract_count_changes_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "contract_counts" (
    "organization_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "our_role" TEXT NOT NULL,
    "value_currency" TEXT NOT NULL,
    "auto_renews" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,
    "valued" INTEGER NOT NULL,
    "value_cents" DECIMAL(65,0) NOT NULL,

    CONSTRAINT "contract_counts_pkey" PRIMARY KEY ("organization_id","owner_id","status","type","our_role","value_currency","auto_renews")
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

-- What Prisma's schema cannot say.


-- Counters change with every contract: room beside them keeps that off their indexes.
ALTER TABLE "contract_counts" SET (fillfactor = 50);
ALTER TABLE "contract_day_counts" SET (fillfactor = 50);
ALTER TABLE "counterparty_contract_counts" SET (fillfactor = 50);

-- Moves a workspace's counters. Only who holds its head row calls it, so that no two wait for each other. Those that
-- reach zero go, or days that contracts once had would be summed up for ever.
CREATE FUNCTION contract_counts_move(organization text, moved counted_contract[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has_gone boolean := (SELECT bool_or(delta < 0) FROM unnest(moved));
  rows_moved bigint;
BEGIN
  INSERT INTO contract_counts AS c
    SELECT organization, o.owner_id, status, type, our_role, COALESCE(value_currency, ''), auto_renews, sum(delta),
      sum(CASE WHEN value_cents IS NULL THEN 0 ELSE delta END), sum(delta * COALESCE(value_cents, 0))
    FROM unnest(moved) m CROSS JOIN LATERAL (VALUES (''), (m.owner_id)) AS o (owner_id)
    GROUP BY 2, 3, 4, 5, 6, 7
    HAVING sum(delta) <> 0 OR sum(delta * COALESCE(value_cents, 0)) <> 0
      OR sum(CASE WHEN value_cents IS NULL THEN 0 ELSE delta END) <> 0
  ON CONFLICT (organization_id, owner_id, status, type, our_role, value_currency, auto_renews) DO UPDATE
    SET count = c.count + EXCLUDED.count, valued = c.valued + EXCLUDED.valued,
      value_cents = c.value_cents + EXCLUDED.value_cents;
  GET DIAGNOSTICS rows_moved = ROW_COUNT;
  IF has_gone AND rows_moved > 0 THEN
    DELETE FROM contract_counts c USING unnest(moved) m
      WHERE c.organization_id = organization AND c.owner_id IN ('', m.owner_id) AND c.status = m.status
        AND c.type = m.type AND c.our_role = m.our_role AND c.value_currency = COALESCE(m.value_currency, '')
        AND c.auto_renews = m.auto_renews AND c.count = 0;
  END IF;

  INSERT INTO contract_day_counts AS c
    SELECT organization, d.field, d.day, status, auto_renews, sum(delta)
    FROM unnest(moved) m
      CROSS JOIN LATERAL (VALUES ('effective', m.effective_day), ('expires', m.expires_day)) AS d (field, day)
    WHERE d.day IS NOT NULL GROUP BY 2, 3, 4, 5 HAVING sum(delta) <> 0
  ON CONFLICT (organization_id, field, day, status, auto_renews) DO UPDATE SET count = c.count + EXCLUDED.count;
  GET DIAGNOSTICS rows_moved = ROW_COUNT;
  IF has_gone AND rows_moved > 0 THEN
    DELETE FROM contract_day_counts c USING unnest(moved) m
      WHERE c.organization_id = organization AND c.status = m.status AND c.auto_renews = m.auto_renews
        AND c.count = 0 AND (c.field, c.day) IN (('effective', m.effective_day), ('expires', m.expires_day));
  END IF;

  INSERT INTO counterparty_contract_counts AS c
    SELECT organization, counterparty_id, sum(delta) FROM unnest(moved)
    WHERE counterparty_id IS NOT NULL GROUP BY 2 HAVING sum(delta) <> 0
  ON CONFLICT (organization_id, counterparty_id) DO UPDATE SET count = c.count + EXCLUDED.count;
  GET DIAGNOSTICS rows_moved = ROW_COUNT;
  IF has_gone AND rows_moved > 0 THEN
    DELETE FROM counterparty_contract_counts c USING unnest(moved) m
      WHERE c.organization_id = organization AND c.counterparty_id = m.counterparty_id AND c.count = 0;
  END IF;
END
$$;

-- The head row is what every change of a workspace locks last and keeps until its commit. To count at once would lock
-- it first: long changes would keep all others waiting, and two could wait for each other. So what a statement does to
-- contracts is noted, and the notes of a transaction move the counters together at its commit. Where the transaction
-- has changed the head already, as in a contract that is created with its history in one statement, nobody waits for it.
CREATE FUNCTION contract_counts_note(organization text, moved counted_contract[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  more int := (SELECT sum(delta) FROM unnest(moved));
BEGIN
  PERFORM FROM workspace_heads WHERE organization_id = organization AND xmin = pg_current_xact_id()::xid;
  IF NOT FOUND THEN
    INSERT INTO contract_count_changes (organization_id, contracts) VALUES (organization, moved);
    RETURN;
  END IF;
  IF more <> 0 THEN
    UPDATE workspace_heads SET contract_count = contract_count + more WHERE organization_id = organization;
  END IF;
  PERFORM contract_counts_move(organization, moved);
END
$$;

CREATE OR REPLACE FUNCTION contracts_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM contract_counts_note(organization_id, contracts) FROM (
    SELECT organization_id, array_agg(ROW(CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, status, type, our_role,
      value_currency, auto_renews, owner_id, counterparty_id, (effective_date AT TIME ZONE 'UTC')::date, expires_at,
      value_cents)::counted_contract) AS contracts
    FROM counted_rows GROUP BY organization_id ORDER BY organization_id) AS counted;
  RETURN NULL;
END
$$;
CREATE TRIGGER "contracts_count_inserted" AFTER INSERT ON "contracts"
  REFERENCING NEW TABLE AS counted_rows FOR EACH STATEMENT EXECUTE FUNCTION contracts_count();
CREATE TRIGGER "contracts_count_deleted" AFTER DELETE ON "contracts"
  REFERENCING OLD TABLE AS counted_rows FOR EACH STATEMENT EXECUTE FUNCTION contracts_count();

CREATE FUNCTION contracts_recount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM contract_counts_note(NEW.organization_id, ARRAY[
    ROW(-1, OLD.status, OLD.type, OLD.our_role, OLD.value_currency, OLD.auto_renews, OLD.owner_id,
      OLD.counterparty_id, (OLD.effective_date AT TIME ZONE 'UTC')::date, OLD.expires_at,
      OLD.value_cents)::counted_contract,
    ROW(1, NEW.status, NEW.type, NEW.our_role, NEW.value_currency, NEW.auto_renews, NEW.owner_id,
      NEW.counterparty_id, (NEW.effective_date AT TIME ZONE 'UTC')::date, NEW.expires_at,
      NEW.value_cents)::counted_contract]);
  RETURN NULL;
END
$$;
CREATE TRIGGER "contracts_count_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN ((OLD.status, OLD.type, OLD.our_role, OLD.value_currency, OLD.auto_renews, OLD.owner_id, OLD.counterparty_id,
      OLD.effective_date, OLD.expires_at, OLD.value_cents)
    IS DISTINCT FROM (NEW.status, NEW.type, NEW.our_role, NEW.value_currency, NEW.auto_renews, NEW.owner_id,
      NEW.counterparty_id, NEW.effective_date, NEW.expires_at, NEW.value_cents))
  EXECUTE FUNCTION contracts_recount();

-- Of a transaction's notes the first takes all: each move of the head makes the next one's way longer. Nobody sees
-- another transaction's, for they are gone when it commits. The head comes first, even where its count stays.
CREATE FUNCTION contract_count_changes_apply() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved counted_contract[];
  more int;
BEGIN
  PERFORM FROM contract_count_changes WHERE organization_id = NEW.organization_id AND id = NEW.id;
  IF FOUND THEN
    WITH notes AS (
      DELETE FROM contract_count_changes WHERE organization_id = NEW.organization_id RETURNING contracts)
    SELECT array_agg(c::counted_contract), sum(c.delta) INTO moved, more FROM notes, unnest(notes.contracts) c;
    UPDATE workspace_heads SET contract_count = contract_count + more WHERE organization_id = NEW.organization_id;
    PERFORM contract_counts_move(NEW.organization_id, moved);
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER "contract_count_changes_apply" AFTER INSERT ON "contract_count_changes"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION contract_count_changes_apply();

-- What is there already is counted once.
INSERT INTO contract_counts
  SELECT organization_id, o.owner_id, status, type, our_role, COALESCE(value_currency, ''), auto_renews, count(*),
    count(value_cents), COALESCE(sum(value_cents), 0)
  FROM contracts c CROSS JOIN LATERAL (VALUES (''), (c.owner_id)) AS o (owner_id)
  GROUP BY 1, 2, 3, 4, 5, 6, 7;
INSERT INTO contract_day_counts
  SELECT organization_id, d.field, d.day, status, auto_renews, count(*)
  FROM contracts CROSS JOIN LATERAL (VALUES ('effective', (effective_date AT TIME ZONE 'UTC')::date),
    ('expires', expires_at)) AS d (field, day)
  WHERE d.day IS NOT NULL GROUP BY 1, 2, 3, 4, 5;
INSERT INTO counterparty_contract_counts
  SELECT organization_id, counterparty_id, count(*) FROM contracts WHERE counterparty_id IS NOT NULL GROUP BY 1, 2;

-- The first one and two letters of every word, in lower case, and every sign that is neither letter nor space with what
-- follows it: what one or two letters are searched in.
CREATE FUNCTION word_beginnings(words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(DISTINCT b.beginning)
  FROM (VALUES ('\m\w.?'), ('[^\w\s]'), ('[^\w\s].')) AS p (pattern),
    LATERAL regexp_matches(lower(words), p.pattern, 'g') AS found,
    LATERAL (VALUES (left(found[1], 1)), (found[1])) AS b (beginning)
$$;

-- Trigrams and beginnings of one workspace's words alone: what others have in theirs costs nothing.
DROP INDEX "contracts_title_trigrams";
DROP INDEX "counterparties_name_trigrams";
CREATE INDEX "contracts_title_trigrams" ON "contracts" USING gin ("organization_id", "title" gin_trgm_ops);
CREATE INDEX "contracts_title_beginnings" ON "contracts" USING gin ("organization_id", word_beginnings("title"));
CREATE INDEX "counterparties_name_trigrams" ON "counterparties" USING gin ("organization_id", "name" gin_trgm_ops);
CREATE INDEX "counterparties_name_beginnings" ON "counterparties"
  USING gin ("organization_id", word_beginnings("name"));

-- Every filter in the order that lists have by themselves, and every order of its own.
-- DropIndex
DROP INDEX "contracts_organization_id_counterparty_id_idx";

-- DropIndex
DROP INDEX "contracts_organization_id_expires_at_idx";

-- CreateIndex
CREATE INDEX "contracts_organization_id_type_last_activity_at_id_idx" ON "contracts"("organization_id", "type", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_our_role_last_activity_at_id_idx" ON "contracts"("organization_id", "our_role", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_owner_id_last_activity_at_id_idx" ON "contracts"("organization_id", "owner_id", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_counterparty_id_last_activity_at_id_idx" ON "contracts"("organization_id", "counterparty_id", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_value_currency_last_activity_at_id_idx" ON "contracts"("organization_id", "value_currency", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_auto_renews_last_activity_at_id_idx" ON "contracts"("organization_id", "auto_renews", "last_activity_at", "id");

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

-- CreateIndex
CREATE INDEX "contracts_organization_id_status_expires_at_id_idx" ON "contracts"("organization_id", "status", "expires_at", "id");

-- With the title itself, so that a deep page reads no more than the index.
DROP INDEX "contracts_organization_id_title";
CREATE INDEX "contracts_organization_id_title" ON "contracts"("organization_id", lower("title"), "id") INCLUDE ("title");

CREATE INDEX "obligations_title_trigrams" ON "obligations" USING gin ("organization_id", "title" gin_trgm_ops);

-- What several filters find together, whichever they are: few values, so it is small.
-- CreateIndex
CREATE INDEX "contracts_alike" ON "contracts"("organization_id", "type", "our_role", "status", "value_currency", "auto_renews");
