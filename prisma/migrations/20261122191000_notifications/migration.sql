-- AlterTable
ALTER TABLE "calendar_feeds" ADD COLUMN     "covers" TEXT NOT NULL DEFAULT 'everything';

-- CreateTable
CREATE TABLE "notifications" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "stage" INTEGER NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "notification_digests" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "mail_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_digests_pkey" PRIMARY KEY ("organization_id","user_id","day")
);

-- CreateTable
CREATE TABLE "notification_settings" (
    "organization_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "channels" JSONB NOT NULL DEFAULT '{}',
    "quiet_weekends" BOOLEAN NOT NULL DEFAULT false,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "notification_defaults" (
    "organization_id" TEXT NOT NULL,
    "channels" JSONB NOT NULL DEFAULT '{}',
    "owner_after_days" INTEGER,
    "admins_after_days" INTEGER,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notification_defaults_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "notifications_organization_id_user_id_created_at_idx" ON "notifications"("organization_id", "user_id", "created_at");

-- CreateIndex
CREATE INDEX "notifications_organization_id_contract_id_idx" ON "notifications"("organization_id", "contract_id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_organization_id_user_id_kind_subject_id_date__key" ON "notifications"("organization_id", "user_id", "kind", "subject_id", "date", "stage");

-- CreateIndex
CREATE INDEX "notification_digests_day_idx" ON "notification_digests"("day");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notification_digests" ADD CONSTRAINT "notification_digests_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notification_defaults" ADD CONSTRAINT "notification_defaults_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
