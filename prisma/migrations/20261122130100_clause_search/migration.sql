-- So that one index can hold the workspace beside the words.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- CreateTable
CREATE TABLE "clause_indexes" (
    "organization_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "edition" INTEGER NOT NULL,
    "language" TEXT NOT NULL,
    "clause_count" INTEGER NOT NULL,
    "is_current" BOOLEAN NOT NULL,
    "embedded_with" TEXT,
    "indexed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "clause_indexes_pkey" PRIMARY KEY ("organization_id","version_id")
);

-- CreateTable
CREATE TABLE "clauses" (
    "organization_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "contract_id" TEXT NOT NULL,
    "is_current" BOOLEAN NOT NULL,
    "page_index" INTEGER NOT NULL,
    "page_starts" INTEGER[],
    "label" TEXT NOT NULL,
    "heading" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "words" tsvector NOT NULL,
    "function_pairs" TEXT[],
    "embedding" BYTEA,

    CONSTRAINT "clauses_pkey" PRIMARY KEY ("organization_id","version_id","ordinal")
);

-- CreateTable
CREATE TABLE "word_models" (
    "organization_id" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "clause_count" INTEGER NOT NULL,
    "stems" TEXT[],
    "frequencies" INTEGER[],
    "vectors" BYTEA NOT NULL,
    "learned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "word_models_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "clause_indexes_organization_id_contract_id_idx" ON "clause_indexes"("organization_id", "contract_id");

-- AddForeignKey
ALTER TABLE "clause_indexes" ADD CONSTRAINT "clause_indexes_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "clauses" ADD CONSTRAINT "clauses_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "clause_indexes"("organization_id", "version_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "word_models" ADD CONSTRAINT "word_models_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What Prisma's schema cannot say.

ALTER TABLE "clauses"
  ALTER COLUMN "page_starts" SET NOT NULL,
  ALTER COLUMN "function_pairs" SET NOT NULL,
  -- Ranking reads the words of thousands of rows and no text: the words stay in the row, the text moves out first.
  ALTER COLUMN "words" SET STORAGE MAIN;

-- Without fastupdate: a search would otherwise read through what writers have left for later.
CREATE INDEX "clauses_words" ON "clauses" USING gin ("organization_id", "words", "function_pairs")
  WITH (fastupdate = off) WHERE "is_current";
