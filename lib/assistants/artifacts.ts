/**
 * The authorization server's artifacts: requests for consent, codes and tokens. Each is stored by the SHA-256 of its
 * secret. The secrets of codes and tokens are not stored, so nobody who reads the database can use them. The id of a
 * request is in its `returnTo`, but only the session that opened it can use it. A fast hash is enough for 256 random
 * bits.
 */
import { hash } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import { db, type Transaction } from "#lib/core/db.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";

export const artifactKinds = ["Interaction", "AuthorizationCode", "AccessToken", "RefreshToken"] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

export const artifactHash = (id: string) => new Uint8Array(hash("sha256", id, "buffer"));

/** An artifact in the library's form. `jti` is the program's secret. */
export type Artifact = Record<string, unknown> & { jti?: string | undefined; grantId?: string | undefined };

/** A code or refresh token was used a second time, by a thief or by its owner after a thief. */
export class UsedAgain extends Error {
  readonly grantId: string | null;

  constructor(grantId: string | null) {
    super("It was used already.");
    this.name = "UsedAgain";
    this.grantId = grantId;
  }
}

/** Saves an artifact without its secret. A token extends its grant until the token expires. */
export async function saveArtifact(
  kind: ArtifactKind,
  id: string,
  { jti: _, ...payload }: Artifact,
  seconds: number,
): Promise<void> {
  const expiresAt = new Date(clock().getTime() + seconds * 1000);
  const { grantId } = payload;
  await housekeeping(async (store) => {
    const grant = kind === "Interaction" || !grantId ? null : await extendGrant(store, grantId, expiresAt);
    // Leaves out undefined values, as JSON does.
    const data = { kind, payload: JSON.parse(JSON.stringify(payload)), expiresAt };
    const owner = { organizationId: grant, grantId: grant === null ? null : (grantId ?? null) };
    const where = { hash: artifactHash(id) };
    await store.assistantArtifact.upsert({
      where,
      create: { ...where, ...data, ...owner },
      update: data,
    });
  });
}

/** Extends a grant, and marks its program's registration as used so that it is kept. Returns the grant's workspace. */
async function extendGrant(store: Transaction, id: string, until: Date): Promise<string | null> {
  const [grant] = await store.$queryRaw<{ organizationId: string }[]>`
    WITH kept AS (
      UPDATE assistant_grants SET expires_at = GREATEST(expires_at, ${until}) WHERE id = ${id}
      RETURNING organization_id, client_id),
    used AS (
      UPDATE assistant_clients SET used_at = ${clock()} WHERE id IN (SELECT client_id FROM kept))
    SELECT organization_id AS "organizationId" FROM kept`;
  return grant?.organizationId ?? null;
}

/** Finds an artifact, even if it has expired: the caller decides what to do with those. */
export async function findArtifact(kind: ArtifactKind, id: string): Promise<Artifact | undefined> {
  const row = await db.assistantArtifact.findFirst({ where: { hash: artifactHash(id), kind } });
  if (!row) return undefined;
  const consumed = row.consumedAt && kind !== "Interaction" ? seconds(row.consumedAt) : undefined;
  return { ...(row.payload as Artifact), jti: id, ...(consumed ? { consumed } : {}) };
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Marks an artifact as used. Of concurrent attempts, only one succeeds; the others throw UsedAgain. */
export async function consumeArtifact(kind: ArtifactKind, id: string): Promise<void> {
  const where = { hash: artifactHash(id), kind };
  const { count } = await housekeeping((store) =>
    store.assistantArtifact.updateMany({
      where: { ...where, consumedAt: null },
      data: { consumedAt: clock() },
    }),
  );
  if (count > 0) return;
  const row = await db.assistantArtifact.findFirst({ where, select: { grantId: true } });
  throw new UsedAgain(row?.grantId ?? null);
}

export async function deleteArtifact(kind: ArtifactKind, id: string): Promise<void> {
  await housekeeping((store) =>
    store.assistantArtifact.deleteMany({ where: { hash: artifactHash(id), kind } }),
  );
}
