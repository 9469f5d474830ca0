-- CreateTable
CREATE TABLE "mail_turns" (
    "id" UUID NOT NULL,
    "address_hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_turns_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mail_turns_address_hash_due_at_idx" ON "mail_turns"("address_hash", "due_at");

-- CreateIndex
CREATE INDEX "mail_turns_due_at_idx" ON "mail_turns"("due_at");
