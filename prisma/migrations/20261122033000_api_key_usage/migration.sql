-- CreateTable
CREATE TABLE "api_key_usage" (
    "organization_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "operation" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,

    CONSTRAINT "api_key_usage_pkey" PRIMARY KEY ("organization_id","api_key_id","day","operation")
);

-- AddForeignKey
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_organization_id_api_key_id_fkey" FOREIGN KEY ("organization_id", "api_key_id") REFERENCES "api_keys"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
