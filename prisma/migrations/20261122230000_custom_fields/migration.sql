-- AlterTable
ALTER TABLE "contracts" ADD COLUMN     "custom_fields" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "custom_fields" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "options" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "custom_fields_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "contract_field_values" (
    "organization_id" TEXT NOT NULL,
    "field_id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "text" TEXT,
    "number" DECIMAL(65,30),
    "day" DATE,

    CONSTRAINT "contract_field_values_pkey" PRIMARY KEY ("organization_id","contract_id","field_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "custom_fields_organization_id_key_key" ON "custom_fields"("organization_id", "key");

-- AddForeignKey
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contract_field_values" ADD CONSTRAINT "contract_field_values_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma's schema cannot say.

-- Each value is in one column, so in the indexes of one: what is asked for exactly, and the order of a list. The contract
-- stands in them, so that neither has to read the row.
CREATE INDEX "contract_field_values_text" ON "contract_field_values"("organization_id", "field_id", "text", "contract_id")
  WHERE "text" IS NOT NULL;
CREATE INDEX "contract_field_values_by_text" ON "contract_field_values"("organization_id", "field_id", lower("text"), "contract_id")
  WHERE "text" IS NOT NULL;
CREATE INDEX "contract_field_values_number" ON "contract_field_values"("organization_id", "field_id", "number", "contract_id")
  WHERE "number" IS NOT NULL;
CREATE INDEX "contract_field_values_day" ON "contract_field_values"("organization_id", "field_id", "day", "contract_id")
  WHERE "day" IS NOT NULL;

CREATE FUNCTION contract_field_values_follow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      DELETE FROM contract_field_values WHERE organization_id = NEW.organization_id AND contract_id = NEW.id;
    END IF;
    INSERT INTO contract_field_values (organization_id, field_id, contract_id, text, number, day)
    SELECT NEW.organization_id, f.id, NEW.id,
      CASE WHEN f.type IN ('text', 'choice', 'member') THEN v.value END,
      CASE f.type WHEN 'number' THEN v.value::numeric END,
      CASE f.type WHEN 'date' THEN v.value::date END
    FROM jsonb_each_text(NEW.custom_fields) v
      JOIN custom_fields f ON f.organization_id = NEW.organization_id AND f.id = v.key;
    RETURN NULL;
  END
$$;
CREATE TRIGGER "contract_field_values_inserted" AFTER INSERT ON "contracts" FOR EACH ROW
  WHEN (NEW.custom_fields <> '{}')
  EXECUTE FUNCTION contract_field_values_follow();
CREATE TRIGGER "contract_field_values_updated" AFTER UPDATE ON "contracts" FOR EACH ROW
  WHEN (OLD.custom_fields IS DISTINCT FROM NEW.custom_fields)
  EXECUTE FUNCTION contract_field_values_follow();
