-- Whoever inserts contracts has committed and been counted the old way before this goes on; others wait for it.
LOCK TABLE "contracts" IN SHARE ROW EXCLUSIVE MODE;

-- CreateTable
CREATE TABLE "contract_count_changes" (
    "organization_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "contract_count_changes_pkey" PRIMARY KEY ("organization_id","id")
);

-- The head row is what every change of a workspace locks last and keeps until its commit. To count at once would lock
-- it first: long changes would keep all others waiting, and two could wait for each other. So what a statement inserts
-- or deletes is noted, and the notes of a transaction move the count together at its commit. Where the transaction has
-- changed the head already, as in a contract that is created with its history in one statement, nobody waits for it.
CREATE FUNCTION contracts_count() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted record;
BEGIN
  FOR counted IN
    SELECT organization_id, (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END * count(*))::int AS delta
    FROM counted_rows GROUP BY organization_id ORDER BY organization_id
  LOOP
    UPDATE workspace_heads SET contract_count = contract_count + counted.delta
      WHERE organization_id = counted.organization_id AND xmin = pg_current_xact_id()::xid;
    CONTINUE WHEN FOUND;
    INSERT INTO contract_count_changes (organization_id, delta) VALUES (counted.organization_id, counted.delta);
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER "contracts_count_inserted" AFTER INSERT ON "contracts"
  REFERENCING NEW TABLE AS counted_rows FOR EACH STATEMENT EXECUTE FUNCTION contracts_count();
CREATE TRIGGER "contracts_count_deleted" AFTER DELETE ON "contracts"
  REFERENCING OLD TABLE AS counted_rows FOR EACH STATEMENT EXECUTE FUNCTION contracts_count();

-- Of a transaction's notes the first takes all: each move of the head makes the next one's way longer. Nobody sees
-- another transaction's, for they are gone when it commits.
CREATE FUNCTION contract_count_changes_apply() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contract_count_changes WHERE organization_id = NEW.organization_id AND id = NEW.id;
  IF FOUND THEN
    WITH others AS (
      DELETE FROM contract_count_changes WHERE organization_id = NEW.organization_id RETURNING delta)
    UPDATE workspace_heads
      SET contract_count = contract_count + NEW.delta + (SELECT COALESCE(sum(delta), 0) FROM others)
      WHERE organization_id = NEW.organization_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER "contract_count_changes_apply" AFTER INSERT ON "contract_count_changes"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION contract_count_changes_apply();

-- As before, but for the count.
CREATE OR REPLACE FUNCTION audit_events_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head workspace_heads%ROWTYPE;
BEGIN
  SELECT * INTO STRICT head FROM workspace_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
  NEW.seq := head.seq + 1;
  NEW.prev_hash := head.hash;
  NEW.created_at := date_trunc('milliseconds',
    COALESCE(NULLIF(current_setting('countersign.clock', true), '')::timestamptz, clock_timestamp()));
  NEW.hash := sha256(head.hash || convert_to(json_build_array(
    NEW.organization_id, NEW.seq::text, NEW.id, NEW.action,
    to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    NEW.actor_id, NEW.actor_name, NEW.actor_email, NEW.api_key_id, NEW.api_key_name,
    NEW.contract_id, NEW.contract_title, NEW.payload::text)::text, 'UTF8'));
  UPDATE workspace_heads SET seq = NEW.seq, hash = NEW.hash WHERE organization_id = NEW.organization_id;
  RETURN NEW;
END
$$;

-- Rows that came or went without an event were never counted.
UPDATE "workspace_heads" h SET "contract_count" = c.count
  FROM (SELECT o.id, (SELECT count(*) FROM "contracts" WHERE "organization_id" = o.id) AS count FROM "organizations" o) c
  WHERE c.id = h.organization_id AND h.contract_count <> c.count;
