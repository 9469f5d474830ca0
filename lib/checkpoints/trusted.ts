/** Checkpoints that a workspace signed itself, with a key that it has or once had. */
import { db } from "#lib/core/db.ts";
import { BadCheckpoint, type Checkpoint, readCheckpoint } from "./file.ts";

type Trusted = { checkpoint: Checkpoint; problem?: never } | { checkpoint?: never; problem: string };

/** Reads the text of a checkpoint's file, or returns why it is not a valid checkpoint of this workspace. */
export async function readTrusted(organizationId: string, text: string): Promise<Trusted> {
  try {
    const { checkpoint, fingerprint } = readCheckpoint(text);
    if (checkpoint.organizationId !== organizationId) {
      return { problem: `It is a checkpoint of another workspace, ${checkpoint.organizationId}.` };
    }
    const key = await db.signingKey.findFirst({ where: { organizationId, fingerprint } });
    if (key) return { checkpoint };
    return { problem: `It was signed with a key that the workspace does not have (${fingerprint}).` };
  } catch (error) {
    if (error instanceof BadCheckpoint) return { problem: error.message };
    throw error;
  }
}
