-- A key's requests and a member's are told apart by who sent them: the column holds either's id.
ALTER TABLE "idempotency_records" RENAME COLUMN "api_key_id" TO "actor_id";
