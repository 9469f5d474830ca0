-- DropForeignKey
ALTER TABLE "signing_events" DROP CONSTRAINT "signing_events_organization_id_envelope_id_fkey";

-- DropIndex
DROP INDEX "signing_events_organization_id_envelope_id_idx";

-- AlterTable
ALTER TABLE "envelopes" ADD COLUMN     "deadline" TIMESTAMPTZ(3),
ADD COLUMN     "declined_at" TIMESTAMPTZ(3),
ADD COLUMN     "event_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "event_hash" TEXT,
ADD COLUMN     "expired_at" TIMESTAMPTZ(3),
ADD COLUMN     "message" TEXT,
ADD COLUMN     "next_seal_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_contract_status" TEXT,
ADD COLUMN     "seal_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "seal_error" TEXT,
ADD COLUMN     "seal_tried_at" TIMESTAMPTZ(3),
ADD COLUMN     "sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "sent_by_id" TEXT,
ADD COLUMN     "subject" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "void_reason" TEXT,
ADD COLUMN     "voided_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "signers" DROP COLUMN "expires_at",
ADD COLUMN     "code_required" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "consent_hash" TEXT,
ADD COLUMN     "decline_reason" TEXT,
ADD COLUMN     "delegate_reason" TEXT,
ADD COLUMN     "delegated_to_id" TEXT,
ADD COLUMN     "initials_sha256" TEXT,
ADD COLUMN     "initials_text" TEXT,
ADD COLUMN     "reminded_at" TIMESTAMPTZ(3),
ADD COLUMN     "reminder_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "signature_kind" TEXT,
ADD COLUMN     "signature_sha256" TEXT,
ADD COLUMN     "signature_text" TEXT;

-- AlterTable
ALTER TABLE "signature_fields" ADD COLUMN     "covers_text" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "label" TEXT,
ADD COLUMN     "options" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "signing_events" ADD COLUMN     "number" INTEGER NOT NULL DEFAULT 0,
ALTER COLUMN "actor" SET DATA TYPE JSON,
ALTER COLUMN "details" SET DATA TYPE JSON,
ALTER COLUMN "hash" SET DEFAULT '';

-- CreateTable
CREATE TABLE "signer_links" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "signer_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "exchanged_at" TIMESTAMPTZ(3),

    CONSTRAINT "signer_links_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signer_sessions" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "signer_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "cookie_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "code_hash" BYTEA,
    "code_sent_at" TIMESTAMPTZ(3),
    "code_expires_at" TIMESTAMPTZ(3),
    "code_tries" INTEGER NOT NULL DEFAULT 0,
    "code_verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "signer_sessions_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signing_mails" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "envelope_id" TEXT NOT NULL,
    "signer_id" TEXT,
    "link_id" TEXT,
    "template" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'QUEUED',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_mails_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "certificates" BYTEA[],
    "private_key" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "signer_links_token_hash_key" ON "signer_links"("token_hash");

-- CreateIndex
CREATE INDEX "signer_links_organization_id_signer_id_idx" ON "signer_links"("organization_id", "signer_id");

-- CreateIndex
CREATE UNIQUE INDEX "signer_sessions_cookie_hash_key" ON "signer_sessions"("cookie_hash");

-- CreateIndex
CREATE INDEX "signer_sessions_organization_id_signer_id_idx" ON "signer_sessions"("organization_id", "signer_id");

-- CreateIndex
CREATE INDEX "signing_mails_organization_id_envelope_id_idx" ON "signing_mails"("organization_id", "envelope_id");

-- CreateIndex
CREATE UNIQUE INDEX "signing_keys_organization_id_fingerprint_key" ON "signing_keys"("organization_id", "fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "signing_events_organization_id_envelope_id_number_key" ON "signing_events"("organization_id", "envelope_id", "number");

-- AddForeignKey
ALTER TABLE "signers" ADD CONSTRAINT "signers_organization_id_delegated_to_id_fkey" FOREIGN KEY ("organization_id", "delegated_to_id") REFERENCES "signers"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signer_links" ADD CONSTRAINT "signer_links_organization_id_signer_id_fkey" FOREIGN KEY ("organization_id", "signer_id") REFERENCES "signers"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signer_sessions" ADD CONSTRAINT "signer_sessions_organization_id_signer_id_fkey" FOREIGN KEY ("organization_id", "signer_id") REFERENCES "signers"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signer_sessions" ADD CONSTRAINT "signer_sessions_organization_id_link_id_fkey" FOREIGN KEY ("organization_id", "link_id") REFERENCES "signer_links"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signing_mails" ADD CONSTRAINT "signing_mails_organization_id_envelope_id_fkey" FOREIGN KEY ("organization_id", "envelope_id") REFERENCES "envelopes"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signing_mails" ADD CONSTRAINT "signing_mails_organization_id_signer_id_fkey" FOREIGN KEY ("organization_id", "signer_id") REFERENCES "signers"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signing_mails" ADD CONSTRAINT "signing_mails_organization_id_link_id_fkey" FOREIGN KEY ("organization_id", "link_id") REFERENCES "signer_links"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "signing_keys" ADD CONSTRAINT "signing_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "envelopes"
  ADD CONSTRAINT "envelopes_status_check" CHECK ("status" IN ('DRAFT', 'SENT', 'PARTIALLY_SIGNED', 'SEALING', 'COMPLETED',
    'DECLINED', 'VOIDED', 'EXPIRED')),
  ADD CONSTRAINT "envelopes_completed_check" CHECK (("status" = 'COMPLETED') = ("signed_version_id" IS NOT NULL));
ALTER TABLE "signers"
  ADD CONSTRAINT "signers_party_check" CHECK ("party" IN ('ORG_USER', 'COUNTERPARTY_CONTACT', 'EXTERNAL')),
  -- One end: nobody signs and declines, or signs what they gave to somebody else.
  ADD CONSTRAINT "signers_one_end_check" CHECK (num_nonnulls("signed_at", "declined_at", "delegated_at") <= 1),
  ADD CONSTRAINT "signers_consent_check" CHECK ("signed_at" IS NULL OR "consent_at" IS NOT NULL);
ALTER TABLE "signature_fields"
  ADD CONSTRAINT "signature_fields_box_check" CHECK ("page_index" >= 0 AND "x_pct" >= 0 AND "y_pct" >= 0
    AND "w_pct" > 0 AND "h_pct" > 0 AND "x_pct" + "w_pct" <= 100.0001 AND "y_pct" + "h_pct" <= 100.0001);
ALTER TABLE "signing_mails"
  ADD CONSTRAINT "signing_mails_state_check" CHECK ("state" IN ('QUEUED', 'SENT', 'FAILED'));

-- A contract is out for signature with one request at a time.
CREATE UNIQUE INDEX "envelopes_one_open" ON "envelopes"("organization_id", "contract_id")
  WHERE "status" IN ('SENT', 'PARTIALLY_SIGNED', 'SEALING');

-- What time has to look at: few rows, however many envelopes there are.
CREATE INDEX "envelopes_open" ON "envelopes"("organization_id", "status", "deadline")
  WHERE "status" IN ('SENT', 'PARTIALLY_SIGNED', 'SEALING');

-- Gives a signing event its place in its envelope's chain. The envelope stays locked until the commit, so there
-- are no gaps. The text that is hashed is what lib/signatures/chain.ts builds again: a JSON array of the row's
-- columns, after the hash of the event before (of the first: after the hash of the envelope's id).
CREATE FUNCTION signing_events_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head envelopes%ROWTYPE;
BEGIN
  SELECT * INTO STRICT head FROM envelopes
    WHERE organization_id = NEW.organization_id AND id = NEW.envelope_id FOR UPDATE;
  NEW.number := head.event_count + 1;
  NEW.prev_hash := head.event_hash;
  NEW.created_at := date_trunc('milliseconds',
    COALESCE(NULLIF(current_setting('countersign.clock', true), '')::timestamptz, clock_timestamp()));
  NEW.hash := encode(sha256(
    COALESCE(decode(head.event_hash, 'hex'), sha256(convert_to(NEW.envelope_id, 'UTF8')))
    || convert_to(json_build_array(
      NEW.organization_id, NEW.envelope_id, NEW.number::text, NEW.id, NEW.signer_id, NEW.type, NEW.actor::text,
      NEW.ip_address, NEW.user_agent, NEW.details::text,
      to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8')), 'hex');
  UPDATE envelopes SET event_count = NEW.number, event_hash = NEW.hash
    WHERE organization_id = NEW.organization_id AND id = NEW.envelope_id;
  RETURN NEW;
END
$$;
CREATE TRIGGER "signing_events_chain" BEFORE INSERT ON "signing_events"
  FOR EACH ROW EXECUTE FUNCTION signing_events_chain();
