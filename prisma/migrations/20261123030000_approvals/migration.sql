-- CreateTable
CREATE TABLE "approval_rules" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "conditions" JSONB NOT NULL,
    "steps" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_rules_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "approvals" (
    "organization_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "version_id" TEXT,
    "requested_by_id" TEXT NOT NULL,
    "rules" JSONB NOT NULL,
    "steps" JSONB NOT NULL,
    "step" INTEGER NOT NULL DEFAULT 0,
    "needs" TEXT NOT NULL,
    "asked_role" TEXT,
    "asked_ids" TEXT[],
    "answered_ids" TEXT[],
    "step_since" TIMESTAMPTZ(3) NOT NULL,
    "asked_since" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,
    "reason" TEXT,
    "ended_by_id" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "approval_answers" (
    "organization_id" TEXT NOT NULL,
    "approval_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "step" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "to_user_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_answers_pkey" PRIMARY KEY ("organization_id","approval_id","number")
);

-- CreateIndex
CREATE INDEX "approvals_organization_id_contract_id_id_idx" ON "approvals"("organization_id", "contract_id", "id");

-- AddForeignKey
ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_organization_id_contract_id_fkey" FOREIGN KEY ("organization_id", "contract_id") REFERENCES "contracts"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_organization_id_version_id_fkey" FOREIGN KEY ("organization_id", "version_id") REFERENCES "document_versions"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_organization_id_requested_by_id_fkey" FOREIGN KEY ("organization_id", "requested_by_id") REFERENCES "members"("organization_id", "user_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approval_answers" ADD CONSTRAINT "approval_answers_organization_id_approval_id_fkey" FOREIGN KEY ("organization_id", "approval_id") REFERENCES "approvals"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Of two who ask for the same contract at once, one is refused.
CREATE UNIQUE INDEX "approvals_open" ON "approvals"("organization_id", "contract_id") WHERE "outcome" IS NULL;

-- Whoever was asked or answered since yesterday hears of it: of every workspace, few at a time.
CREATE INDEX "approvals_asked" ON "approvals"("asked_since") WHERE "outcome" IS NULL;
CREATE INDEX "approvals_answered" ON "approvals"("ended_at") WHERE "outcome" IN ('APPROVED', 'SENT_BACK');

-- Whom each open request asks now. While someone who was asked by name is no member any more, or only reads, owners stand
-- in: where any of several can answer only once none of them is left. Nothing is asked of a contract that is archived, or not in review.
CREATE VIEW "approvals_asked_now" AS
SELECT a.organization_id, a.id AS approval_id, a.contract_id, m.user_id, a.step, a.step_since, a.asked_since
FROM approvals a
JOIN contracts c ON c.organization_id = a.organization_id AND c.id = a.contract_id
  AND c.status IN ('IN_REVIEW', 'APPROVED') AND NOT c.archived
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE r.user_id IS NOT NULL) AS able, count(*) FILTER (WHERE r.user_id IS NULL) AS gone
  FROM unnest(a.asked_ids) AS named (id)
  LEFT JOIN members r ON r.organization_id = a.organization_id AND r.user_id = named.id
    AND r.removed_at IS NULL AND r.role <> 'viewer') named
JOIN members m ON m.organization_id = a.organization_id AND m.removed_at IS NULL AND m.role <> 'viewer'
WHERE a.outcome IS NULL AND (
  m.user_id = ANY(a.asked_ids)
  OR (m.role = a.asked_role AND m.user_id <> ALL(a.answered_ids))
  OR (m.role = 'owner' AND (
    (a.needs = 'ALL' AND named.gone > 0)
    OR (named.able = 0 AND NOT EXISTS (SELECT 1 FROM members r WHERE r.organization_id = a.organization_id
      AND r.role = a.asked_role AND r.removed_at IS NULL AND r.user_id <> ALL(a.answered_ids))))));
