-- CreateTable
CREATE TABLE "assistant_clients" (
    "id" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assistant_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assistant_grants" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "client_host" TEXT NOT NULL,
    "is_verified" BOOLEAN NOT NULL,
    "scopes" TEXT[],
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assistant_grants_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "assistant_artifacts" (
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "organization_id" TEXT,
    "grant_id" TEXT,
    "session_id" TEXT,
    "consumed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assistant_artifacts_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "assistant_policies" (
    "organization_id" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assistant_policies_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "assistant_clients_used_at_idx" ON "assistant_clients"("used_at");

-- CreateIndex
CREATE UNIQUE INDEX "assistant_grants_id_key" ON "assistant_grants"("id");

-- CreateIndex
CREATE INDEX "assistant_grants_organization_id_user_id_idx" ON "assistant_grants"("organization_id", "user_id");

-- CreateIndex
CREATE INDEX "assistant_grants_user_id_idx" ON "assistant_grants"("user_id");

-- CreateIndex
CREATE INDEX "assistant_grants_expires_at_idx" ON "assistant_grants"("expires_at");

-- CreateIndex
CREATE INDEX "assistant_artifacts_organization_id_grant_id_idx" ON "assistant_artifacts"("organization_id", "grant_id");

-- CreateIndex
CREATE INDEX "assistant_artifacts_expires_at_idx" ON "assistant_artifacts"("expires_at");

-- AddForeignKey
ALTER TABLE "assistant_grants" ADD CONSTRAINT "assistant_grants_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "assistant_artifacts" ADD CONSTRAINT "assistant_artifacts_organization_id_grant_id_fkey" FOREIGN KEY ("organization_id", "grant_id") REFERENCES "assistant_grants"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "assistant_policies" ADD CONSTRAINT "assistant_policies_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What assistants did, for via=assistant: few events of many, which name the assistant in their payload.
CREATE INDEX "audit_events_organization_id_seq_assistant_idx" ON "audit_events"("organization_id", "seq") WHERE ("payload" ->> 'assistant') IS NOT NULL;
