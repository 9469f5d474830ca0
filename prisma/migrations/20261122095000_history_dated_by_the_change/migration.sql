-- Whoever writes history says when it happened: the moment of the request, as in all other rows that a change writes.
-- The triggers have no clock, and no setting of a session can set one.
CREATE OR REPLACE FUNCTION audit_events_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head workspace_heads%ROWTYPE;
BEGIN
  SELECT * INTO STRICT head FROM workspace_heads WHERE organization_id = NEW.organization_id FOR UPDATE;
  NEW.seq := head.seq + 1;
  NEW.prev_hash := head.hash;
  NEW.hash := sha256(head.hash || convert_to(json_build_array(
    NEW.organization_id, NEW.seq::text, NEW.id, NEW.action,
    to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    NEW.actor_id, NEW.actor_name, NEW.actor_email, NEW.api_key_id, NEW.api_key_name,
    NEW.contract_id, NEW.contract_title, NEW.payload::text)::text, 'UTF8'));
  UPDATE workspace_heads SET seq = NEW.seq, hash = NEW.hash WHERE organization_id = NEW.organization_id;
  RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION signing_events_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head envelopes%ROWTYPE;
BEGIN
  SELECT * INTO STRICT head FROM envelopes
    WHERE organization_id = NEW.organization_id AND id = NEW.envelope_id FOR UPDATE;
  NEW.number := head.event_count + 1;
  NEW.prev_hash := head.event_hash;
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
