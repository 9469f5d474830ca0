/**
 * What the authorization server keeps: requests for consent, codes, tokens. Found by the SHA-256 of what its holder has,
 * which is nowhere stored: whoever reads the database can use none of it. A fast hash is enough for 256 random bits.
 */
import { hash } from "node:crypto";
import { clock } from "#lib/core/clock.ts";
import { db, type Transaction } from "#lib/core/db.ts";
import { housekeeping } from "#lib/core/housekeeping.ts";

export const artifactKinds = ["Interaction", "AuthorizationCode", "AccessToken", "RefreshToken"] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

export const artifactHash = (id: string) => new Uint8Array(hash("sha256", id, "buffer"));

/** What the library knows of one; `jti` is what its holder has. */
export type Artifact = Record<string, unknown> & { jti?: string | undefined; grantId?: string | undefined };

/** A code or a refresh token that is used once more: by whoever stole it, or was stolen from. */
export class UsedAgain extends Error {
  readonly grantId: string | null;

  constructor(grantId: string | null) {
    super("It was used already.");
    this.name = "UsedAgain";
    this.grantId = grantId;
  }
}

/** Writes one down, without what its holder has. A token keeps its grant alive as long as it lives itself. */
export async function saveArtifact(
  kind: ArtifactKind,
  id: string,
  { jti: _, ...payload }: Artifact,
  seconds: number,
): Promise<void> {
  const expiresAt = new Date(clock().getTime() + seconds * 1000);
  const { grantId } = payload;
  await housekeeping(async (store) => {
    const grant = kind === "Interaction" || !grantId ? null : await keptAlive(store, grantId, expiresAt);
    // What is undefined is left out, as JSON does.
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

/** The grant's workspace. A registration that is used is not forgotten. */
async function keptAlive(store: Transaction, id: string, until: Date): Promise<string | null> {
  const [grant] = await store.$queryRaw<{ organizationId: string }[]>`
    WITH kept AS (
      UPDATE assistant_grants SET expires_at = GREATEST(expires_at, ${until}) WHERE id = ${id}
      RETURNING organization_id, client_id),
    used AS (
      UPDATE assistant_clients SET used_at = ${clock()} WHERE id IN (SELECT client_id FROM kept))
    SELECT organization_id AS "organizationId" FROM kept`;
  return grant?.organizationId ?? null;
}

/** Finds one, expired ones too: what is done with those is told apart by who asks. */
export async function findArtifact(kind: ArtifactKind, id: string): Promise<Artifact | undefined> {
  const row = await db.assistantArtifact.findFirst({ where: { hash: artifactHash(id), kind } });
  if (!row) return undefined;
  const consumed = row.consumedAt && kind !== "Interaction" ? seconds(row.consumedAt) : undefined;
  return { ...(row.payload as Artifact), jti: id, ...(consumed ? { consumed } : {}) };
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/** Uses one up: of two who try at once, one. */
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
