CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- The last day of a term: effective day + months - 1 day; a target month without such a day ends the term on
-- its last day. Days are UTC days. The same rule as termEnd in lib/core/dates.ts; a test compares the two.
CREATE FUNCTION term_end(effective timestamptz, months integer) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT least(CASE
    WHEN extract(day FROM target) < extract(day FROM day) THEN target
    ELSE target - 1
  END, date '9999-12-31')
  FROM (SELECT (effective AT TIME ZONE 'UTC')::date AS day,
               ((effective AT TIME ZONE 'UTC')::date + make_interval(months => months))::date AS target) AS term
$$;

-- CreateTable
CREATE TABLE "organizations" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "seats" INTEGER NOT NULL DEFAULT 10,
    "subscription_status" TEXT NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspace_heads" (
    "organization_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "hash" BYTEA NOT NULL,
    "contract_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "workspace_heads_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "members_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "public_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_by_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "organization_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "location" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("organization_id","api_key_id","route","key")
);

-- CreateTable
CREATE TABLE "counterparties" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "domain" TEXT,
    "notes" TEXT,
    "relationship_types" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "counterparties_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "counterparty_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "contracts" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "our_role" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'DRAFT',
    "counterparty_id" TEXT,
    "owner_id" TEXT NOT NULL,
    "effective_date" TIMESTAMPTZ(3),
    "executed_at" TIMESTAMPTZ(3),
    "term_months" INTEGER,
    "auto_renews" BOOLEAN NOT NULL DEFAULT false,
    "renewal_months" INTEGER,
    "expires_at" DATE GENERATED ALWAYS AS (term_end("effective_date", "term_months")) STORED,
    "value_cents" BIGINT,
    "value_currency" TEXT,
    "template_id" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status_changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contracts_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "document_versions" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "version_number" INTEGER NOT NULL,
    "parent_version_id" TEXT,
    "source" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "uploaded_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "document_versions_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "obligations" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "source_text" TEXT,
    "source" TEXT NOT NULL DEFAULT 'MANUAL',
    "state" TEXT NOT NULL DEFAULT 'OPEN',
    "anchor_type" TEXT NOT NULL,
    "offset_value" INTEGER NOT NULL DEFAULT 0,
    "offset_unit" TEXT NOT NULL DEFAULT 'DAY',
    "offset_direction" TEXT NOT NULL DEFAULT 'AFTER',
    "fixed_date" TIMESTAMPTZ(3),
    "recurrence_months" INTEGER,
    "completed_count" INTEGER NOT NULL DEFAULT 0,
    "resolved_date" DATE,
    "resolution_basis" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "obligations_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "templates" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "contract_type" TEXT NOT NULL,
    "our_role" TEXT NOT NULL,
    "title_pattern" TEXT,
    "file_name" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "variables" JSONB NOT NULL DEFAULT '[]',
    "sections" JSONB NOT NULL DEFAULT '[]',
    "section_groups" JSONB NOT NULL DEFAULT '[]',
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "envelopes" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'DRAFT',
    "document_version_id" TEXT NOT NULL,
    "signed_version_id" TEXT,
    "document_snapshot_hash" TEXT,
    "pdf_sha256" TEXT,
    "created_by_id" TEXT NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "envelopes_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signers" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "envelope_id" TEXT NOT NULL,
    "user_id" TEXT,
    "counterparty_contact_id" TEXT,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "party" TEXT NOT NULL,
    "order_index" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "notified_at" TIMESTAMPTZ(3),
    "viewed_at" TIMESTAMPTZ(3),
    "consent_at" TIMESTAMPTZ(3),
    "signed_at" TIMESTAMPTZ(3),
    "declined_at" TIMESTAMPTZ(3),
    "delegated_at" TIMESTAMPTZ(3),
    "signed_name" TEXT,
    "signed_ip" TEXT,
    "signed_user_agent" TEXT,

    CONSTRAINT "signers_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signature_fields" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "envelope_id" TEXT NOT NULL,
    "signer_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "page_index" INTEGER NOT NULL,
    "x_pct" DOUBLE PRECISION NOT NULL,
    "y_pct" DOUBLE PRECISION NOT NULL,
    "w_pct" DOUBLE PRECISION NOT NULL,
    "h_pct" DOUBLE PRECISION NOT NULL,
    "required" BOOLEAN NOT NULL DEFAULT true,
    "filled" BOOLEAN NOT NULL DEFAULT false,
    "value" TEXT,

    CONSTRAINT "signature_fields_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signing_events" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "envelope_id" TEXT NOT NULL,
    "signer_id" TEXT,
    "type" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "details" JSONB,
    "prev_hash" TEXT,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_events_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "organization_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "actor_email" TEXT,
    "api_key_id" TEXT,
    "api_key_name" TEXT,
    "contract_id" TEXT,
    "contract_title" TEXT,
    "payload" JSON NOT NULL,
    "prev_hash" BYTEA NOT NULL DEFAULT '\x'::bytea,
    "hash" BYTEA NOT NULL DEFAULT '\x'::bytea,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("organization_id","seq")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "members_organization_id_user_id_key" ON "members"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_organization_id_email_idx" ON "invitations"("organization_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_public_id_key" ON "api_keys"("public_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- CreateIndex
CREATE INDEX "contacts_organization_id_counterparty_id_idx" ON "contacts"("organization_id", "counterparty_id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_last_activity_at_id_idx" ON "contracts"("organization_id", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_counterparty_id_idx" ON "contracts"("organization_id", "counterparty_id");

-- CreateIndex
CREATE INDEX "contracts_organization_id_expires_at_idx" ON "contracts"("organization_id", "expires_at");

-- CreateIndex
CREATE INDEX "contracts_organization_id_status_last_activity_at_id_idx" ON "contracts"("organization_id", "status", "last_activity_at", "id");

-- CreateIndex
CREATE INDEX "document_versions_organization_id_sha256_idx" ON "document_versions"("organization_id", "sha256");

-- CreateIndex
CREATE UNIQUE INDEX "document_versions_organization_id_contract_id_version_numbe_key" ON "document_versions"("organization_id", "contract_id", "version_number");

-- CreateIndex
CREATE INDEX "obligations_organization_id_contract_id_idx" ON "obligations"("organization_id", "contract_id");

-- CreateIndex
CREATE INDEX "obligations_organization_id_resolved_date_id_idx" ON "obligations"("organization_id", "resolved_date", "id");

-- CreateIndex
CREATE INDEX "envelopes_organization_id_contract_id_idx" ON "envelopes"("organization_id", "contract_id");

-- CreateIndex
CREATE INDEX "envelopes_organization_id_created_at_id_idx" ON "envelopes"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "signers_organization_id_envelope_id_idx" ON "signers"("organization_id", "envelope_id");

-- CreateIndex
CREATE INDEX "signature_fields_organization_id_envelope_id_idx" ON "signature_fields"("organization_id", "envelope_id");

-- CreateIndex
CREATE INDEX "signing_events_organization_id_envelope_id_idx" ON "signing_events"("organization_id", "envelope_id");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_contract_id_seq_idx" ON "audit_events"("organization_id", "contract_id", "seq");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_action_seq_idx" ON "audit_events"("organization_id", "action", "seq");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_actor_id_seq_idx" ON "audit_events"("organization_id", "actor_id", "seq");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_api_key_id_seq_idx" ON "audit_events"("organization_id", "api_key_id", "seq");

-- AddForeignKey
ALTER TABLE "workspace_heads" ADD CONSTRAINT "workspace_heads_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_organization_id_counterparty_id_fkey" FOREIGN KEY ("organization_id", "counterparty_id") REFERENCES "counterparties"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_organization_id_counterparty_id_fkey" FOREIGN KEY ("organization_id", "counterparty_id") REFERENCES "counterparties"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_organization_id_owner_id_fkey" FOREIGN KEY ("organization_id", "owner_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_organization_id_template_id_fkey" FOREIGN KEY ("organization_id", "template_id") REFERENCES "templates"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_organization_id_parent_version_id_fkey" FOREIGN KEY ("organization_id", "parent_version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "obligations" ADD CONSTRAINT "obligations_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "envelopes" ADD CONSTRAINT "envelopes_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "envelopes" ADD CONSTRAINT "envelopes_organization_id_document_version_id_fkey" FOREIGN KEY ("organization_id", "document_version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "envelopes" ADD CONSTRAINT "envelopes_organization_id_signed_version_id_fkey" FOREIGN KEY ("organization_id", "signed_version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signers" ADD CONSTRAINT "signers_organization_id_envelope_id_fkey" FOREIGN KEY ("organization_id", "envelope_id") REFERENCES "envelopes"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signers" ADD CONSTRAINT "signers_organization_id_counterparty_contact_id_fkey" FOREIGN KEY ("organization_id", "counterparty_contact_id") REFERENCES "contacts"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signature_fields" ADD CONSTRAINT "signature_fields_organization_id_envelope_id_fkey" FOREIGN KEY ("organization_id", "envelope_id") REFERENCES "envelopes"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signature_fields" ADD CONSTRAINT "signature_fields_organization_id_signer_id_fkey" FOREIGN KEY ("organization_id", "signer_id") REFERENCES "signers"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signing_events" ADD CONSTRAINT "signing_events_organization_id_envelope_id_fkey" FOREIGN KEY ("organization_id", "envelope_id") REFERENCES "envelopes"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What Prisma's schema cannot say.

ALTER TABLE "contracts"
  ADD CONSTRAINT "contracts_status_check" CHECK ("status" IN ('DRAFT', 'IN_REVIEW', 'NEGOTIATING', 'APPROVED',
    'OUT_FOR_SIGNATURE', 'EXECUTED', 'ACTIVE', 'EXPIRED', 'TERMINATED', 'CANCELLED')),
  ADD CONSTRAINT "contracts_value_check" CHECK ("value_cents" >= 0),
  ADD CONSTRAINT "contracts_term_check" CHECK ("term_months" >= 1 AND "renewal_months" >= 1);
ALTER TABLE "members" ADD CONSTRAINT "members_role_check" CHECK ("role" IN ('owner', 'admin', 'member', 'viewer'));
ALTER TABLE "organizations"
  ADD CONSTRAINT "organizations_subscription_check" CHECK ("subscription_status" IN ('active', 'inactive'));
ALTER TABLE "obligations" ADD CONSTRAINT "obligations_state_check"
  CHECK ("state" IN ('SUGGESTED', 'OPEN', 'COMPLETED', 'WAIVED', 'CANCELLED'));

CREATE UNIQUE INDEX "contacts_one_primary" ON "contacts"("organization_id", "counterparty_id") WHERE "is_primary";
CREATE UNIQUE INDEX "users_email_lower" ON "users"(lower("email"));
CREATE INDEX "contracts_organization_id_title" ON "contracts"("organization_id", lower("title"), "id");
CREATE INDEX "contracts_title_trigrams" ON "contracts" USING gin ("title" gin_trgm_ops);

-- Whoever updates a contract raises its revision: what was read or printed of it before is known to be old.
CREATE FUNCTION contracts_revise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER "contracts_revise" BEFORE UPDATE ON "contracts"
  FOR EACH ROW EXECUTE FUNCTION contracts_revise();

-- A deleted contact leaves the signers that it was chosen for.
ALTER TABLE "signers" DROP CONSTRAINT "signers_organization_id_counterparty_contact_id_fkey";
ALTER TABLE "signers" ADD CONSTRAINT "signers_organization_id_counterparty_contact_id_fkey"
  FOREIGN KEY ("organization_id", "counterparty_contact_id") REFERENCES "contacts"("organization_id", "id")
  ON DELETE SET NULL ("counterparty_contact_id");

-- The head row changes with every audit event: room beside it keeps those updates off the index.
ALTER TABLE "workspace_heads" SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Every workspace has a chain, which begins with the hash of its id.
CREATE FUNCTION workspace_heads_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO workspace_heads (organization_id, hash) VALUES (NEW.id, sha256(convert_to(NEW.id, 'UTF8')));
  RETURN NULL;
END
$$;
CREATE TRIGGER "organizations_begin" AFTER INSERT ON "organizations"
  FOR EACH ROW EXECUTE FUNCTION workspace_heads_begin();

-- Gives an audit event its place in its workspace's chain. The head row stays locked until the commit, so
-- there are no gaps and no two events with one number. The text that is hashed is what lib/audit/verify.ts
-- builds again: a JSON array of the row's columns, after the hash of the event before.
-- countersign.clock sets the time for a seed that tells of the past; nothing else may set it.
CREATE FUNCTION audit_events_chain() RETURNS trigger LANGUAGE plpgsql AS $$
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
  UPDATE workspace_heads
    SET seq = NEW.seq, hash = NEW.hash, contract_count = contract_count + (NEW.action = 'CONTRACT_CREATED')::int
    WHERE organization_id = NEW.organization_id;
  RETURN NEW;
END
$$;
CREATE TRIGGER "audit_events_chain" BEFORE INSERT ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION audit_events_chain();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER "audit_events_append_only" BEFORE UPDATE OR DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "audit_events_keep" BEFORE TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "signing_events_append_only" BEFORE UPDATE OR DELETE ON "signing_events"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER "signing_events_keep" BEFORE TRUNCATE ON "signing_events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
