/**
 * The tables that cached responses may be read from, and a guard for them: the tests' server cannot commit a change to
 * one of these tables without raising its workspace's number. So every test that writes also proves that no response
 * cached before its change is returned after it.
 */
import pg from "pg";

/**
 * The tables. Each lists the columns that may also be written without raising the number, so no cached response may
 * depend on them, with another value for each, which a test writes to check that none does. Only signature requests
 * that were sent count: drafts are not part of any history.
 */
export const cachedTables: Record<string, Record<string, string>> = {
  audit_events: {},
  contacts: {},
  contract_count_notes: {},
  contract_counts: {},
  contract_field_values: {},
  contract_day_counts: {},
  contract_owner_counts: {},
  contract_tag_counts: {},
  contract_tags: {},
  contract_words: {},
  contracts: { expiring_told_for: "'2001-02-03'", revision: "revision + 1" },
  counterparties: {},
  custom_fields: {},
  counterparty_contract_counts: {},
  document_versions: {
    page_count: "77",
    pdf_error: "'Other'",
    pdf_sha256: "NULL",
    pdf_size_bytes: "NULL",
    pdf_state: "'FAILED'",
    text_state: "'FAILED'",
  },
  envelopes: {
    event_count: "77",
    event_hash: "'other'",
    next_seal_at: "now()",
    seal_attempts: "77",
    seal_error: "'Other'",
    seal_tried_at: "now()",
    updated_at: "now()",
  },
  members: {},
  obligation_count_notes: {},
  obligation_day_counts: {},
  obligation_kind_counts: {},
  obligations: {
    assignee_told: "'other'",
    due_told_for: "'2001-02-03'",
    overdue_told_for: "'2001-02-03'",
  },
  template_revisions: {},
  templates: {},
  users: {
    email_verified_at: "now()",
    locale: "'nl-NL'",
    password_hash: "'other'",
    time_zone: "'Asia/Tokyo'",
    updated_at: "now()",
  },
};

/** Also read, but always derivable from the other tables: a test compares it with a fresh count. */
export const derivedTables = ["contract_filter_totals"];

/** All tables except the log itself: writing to the log raises the number, and its rows never change. */
export const { audit_events: _, ...guardedTables } = cachedTables;

/** Returns a URL whose connections cannot write cached data without raising the number. */
export function guarded(url: string): string {
  const other = new URL(url);
  other.searchParams.set("options", "-c timezone=UTC -c countersign.guarded=on");
  return other.href;
}

/** A person also belongs to the workspaces that they left: their contracts there still show their name. */
const guard = `
  CREATE FUNCTION guard_cached() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    written jsonb := COALESCE(to_jsonb(NEW), to_jsonb(OLD));
    stale text;
  BEGIN
    IF current_setting('countersign.guarded', true) IS DISTINCT FROM 'on' THEN RETURN NULL; END IF;
    IF TG_TABLE_NAME = 'envelopes' AND written->>'status' = 'DRAFT' AND COALESCE(to_jsonb(OLD)->>'status', 'DRAFT') = 'DRAFT' THEN
      RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - TG_ARGV[0]::text[] = to_jsonb(NEW) - TG_ARGV[0]::text[] THEN
      RETURN NULL;
    END IF;
    SELECT organization_id INTO stale FROM workspace_heads
    WHERE xmin <> pg_current_xact_id()::xid AND (organization_id = written->>'organization_id' OR TG_TABLE_NAME = 'users'
      AND organization_id IN (SELECT organization_id FROM members WHERE user_id = written->>'id'));
    IF FOUND THEN
      RAISE EXCEPTION '% of % did not raise the number of workspace %', TG_OP, TG_TABLE_NAME, stale;
    END IF;
    RETURN NULL;
  END
  $$`;

export async function guardCachedTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(guard);
  for (const [table, silent] of Object.entries(guardedTables)) {
    // Checked at commit: a change writes its log events last.
    await client.query(`
      CREATE CONSTRAINT TRIGGER guard_cached AFTER INSERT OR UPDATE OR DELETE ON ${table} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION guard_cached('{${Object.keys(silent).join()}}')`);
  }
  await client.end();
}
