/** The chain of an envelope's events: each hash covers its event and the hash before it. Anyone can recompute it. */
import { hash } from "node:crypto";

/** An event as the chain hashes it: actor and details are the stored JSON text. */
export interface Link {
  organizationId: string;
  envelopeId: string;
  /** Starts at 1. */
  number: number;
  id: string;
  signerId: string | null;
  type: string;
  actor: string;
  ipAddress: string | null;
  userAgent: string | null;
  details: string | null;
  createdAt: string;
}

/** The same hash as the trigger signing_events_chain computes. */
export function hashOfEvent(link: Link, prevHash: string | null): string {
  const before = prevHash === null ? hash("sha256", link.envelopeId, "buffer") : Buffer.from(prevHash, "hex");
  const columns = [
    link.organizationId,
    link.envelopeId,
    String(link.number),
    link.id,
    link.signerId,
    link.type,
    link.actor,
    link.ipAddress,
    link.userAgent,
    link.details,
    link.createdAt,
  ];
  // The same text as PostgreSQL's json_build_array.
  const text = `[${columns.map((column) => JSON.stringify(column)).join(", ")}]`;
  return hash("sha256", Buffer.concat([before, Buffer.from(text)]), "hex");
}

/** An event as REST returns it, and as the certificate contains it. */
export interface ChainedEvent {
  id: string;
  signerId: string | null;
  type: string;
  actor: { kind: string; id: string | null; name: string | null; email: string | null };
  ipAddress: string | null;
  userAgent: string | null;
  details: unknown;
  prevHash: string | null;
  hash: string;
  createdAt: string;
}

/** Describes the first error in a chain of events; null when every hash is correct. */
export function firstBrokenLink(
  of: { organizationId: string; envelopeId: string },
  events: readonly ChainedEvent[],
): string | null {
  let before: string | null = null;
  for (const [index, event] of events.entries()) {
    const number = index + 1;
    if (event.prevHash !== before) return `Event ${number} does not follow the one before it.`;
    const { kind, id, name, email } = event.actor;
    const link = {
      ...of,
      ...event,
      number,
      actor: JSON.stringify({ kind, id, name, email }),
      details: event.details === null ? null : JSON.stringify(event.details),
    };
    if (hashOfEvent(link, before) !== event.hash) return `Event ${number} (${event.type}) was altered.`;
    before = event.hash;
  }
  return null;
}
