-- AlterTable
ALTER TABLE "contracts" ADD COLUMN     "expiring_told_for" DATE;

-- AlterTable
ALTER TABLE "obligations" ADD COLUMN     "due_told_for" DATE,
ADD COLUMN     "overdue_told_for" DATE;

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'ENABLED',
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "events" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_status_code" INTEGER,
    "last_error" TEXT,
    "redelivery_of" TEXT,
    "claimed_by" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "delivery_attempts" (
    "organization_id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status_code" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "error" TEXT,
    "response_body" TEXT,

    CONSTRAINT "delivery_attempts_pkey" PRIMARY KEY ("organization_id","delivery_id","number")
);

-- CreateIndex
CREATE INDEX "deliveries_organization_id_endpoint_id_id_idx" ON "deliveries"("organization_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "deliveries_organization_id_event_id_idx" ON "deliveries"("organization_id", "event_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_organization_id_endpoint_id_fkey" FOREIGN KEY ("organization_id", "endpoint_id") REFERENCES "webhook_endpoints"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_organization_id_event_id_fkey" FOREIGN KEY ("organization_id", "event_id") REFERENCES "events"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_organization_id_delivery_id_fkey" FOREIGN KEY ("organization_id", "delivery_id") REFERENCES "deliveries"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_status_check"
  CHECK ("status" IN ('ENABLED', 'DISABLED', 'DISABLED_BY_FAILURE'));
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_status_check"
  CHECK ("status" IN ('PENDING', 'SUCCEEDED', 'RETRYING', 'FAILED'));

-- What an endpoint has to get next, found at the same cost however much waits, and what workers are at.
CREATE INDEX "deliveries_due" ON "deliveries"("organization_id", "endpoint_id", "next_attempt_at", "id")
  WHERE "claimed_by" IS NULL AND "next_attempt_at" IS NOT NULL;
CREATE INDEX "deliveries_claimed" ON "deliveries"("organization_id", "claimed_by") WHERE "claimed_by" IS NOT NULL;
