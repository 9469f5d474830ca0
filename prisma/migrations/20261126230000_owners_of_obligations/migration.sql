-- An obligation carries its contract's owner, whom it follows while it is assigned to no one. Those from before have none
-- until the job obligations.catchUp has come to them.
ALTER TABLE "obligations" ADD COLUMN "owner_id" TEXT;

-- Whoever creates an obligation keeps the contract as it is until the commit.
CREATE OR REPLACE FUNCTION obligations_begin_archived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT archived, owner_id INTO NEW.archived, NEW.owner_id FROM contracts
    WHERE organization_id = NEW.organization_id AND id = NEW.contract_id;
  NEW.archived := COALESCE(NEW.archived, false);
  RETURN NEW;
END
$$;
CREATE FUNCTION obligations_follow_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE obligations SET owner_id = NEW.owner_id
    WHERE organization_id = NEW.organization_id AND contract_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER "obligations_follow_owner" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN (OLD.owner_id IS DISTINCT FROM NEW.owner_id) EXECUTE FUNCTION obligations_follow_owner();
