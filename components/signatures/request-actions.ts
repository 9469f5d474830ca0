"use client";
/** Actions on a signature request: each returns the request's new state, which is cached. */
import type { Act } from "#components/operation.ts";
import { useAct } from "#components/query.tsx";
import type { OutputOf } from "#lib/doors/client.ts";

/** A request as the members of the workspace see it. */
export type Envelope = OutputOf<"signatures.progress">["envelope"];
export type EnvelopeSigner = Envelope["signers"][number];

type RequestAction =
  | "signatures.updateDraft"
  | "signatures.placeAnchors"
  | "signatures.send"
  | "signatures.remind"
  | "signatures.correctSigner"
  | "signatures.extend"
  | "signatures.void"
  | "signatures.end"
  | "signatures.retrySealing";

const ofDraft = ["signatures.list", "signatures.listOfContract", "signatures.check"] as const;
const ofRequest = [...ofDraft, "signatures.events", "contracts", "home", "auditEvents"] as const;
const draftActs: readonly string[] = ["signatures.updateDraft", "signatures.placeAnchors"];

/** Runs an action on a request, and caches the request's new state. */
export function useRequestAction<Name extends RequestAction>(
  name: Name,
  { showsErrors = true }: { showsErrors?: boolean } = {},
): Act<Name> {
  return useAct(name, {
    invalidates: draftActs.includes(name) ? ofDraft : ofRequest,
    showsErrors,
    learn: (answer, memory) => {
      const { envelope } = answer as { envelope: Envelope };
      memory.updateAll("signatures.progress", (known) =>
        known.envelope.id === envelope.id ? { envelope } : known,
      );
    },
  });
}
