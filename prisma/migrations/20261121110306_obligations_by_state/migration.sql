-- CreateIndex
CREATE INDEX "obligations_organization_id_state_resolved_date_id_idx" ON "obligations"("organization_id", "state", "resolved_date", "id");
