/** Stores the checkpoints of a workspace in the file store: written once, and named so that they sort by event. */
import { backend } from "#lib/storage/store.ts";

const folderOf = (organizationId: string) => `checkpoints/${organizationId}/`;

/** The digits of the largest event number. */
const digits = 19;

export async function storeCheckpoint(
  { organizationId, seq, id }: { organizationId: string; seq: string; id: string },
  text: string,
): Promise<void> {
  const { records } = await backend();
  const name = `${seq.padStart(digits, "0")}-${id}.json`;
  await records.put(`${folderOf(organizationId)}${name}`, Buffer.from(text));
}

/** Returns the names of the stored checkpoints, oldest first. */
export async function storedCheckpoints(organizationId: string): Promise<string[]> {
  const names = await (await backend()).records.list(folderOf(organizationId));
  return names.filter((name) => /\/\d{19}-chk_\w+\.json$/.test(name));
}

/** Records that a log is not valid. Returns whether this is the first time on this day. */
export async function recordInvalidLog(organizationId: string, now: Date, reason: string): Promise<boolean> {
  const { records } = await backend();
  const folder = `refused-checkpoints/${organizationId}/`;
  const name = `${folder}${now.toISOString().slice(0, 10)}.txt`;
  if ((await records.list(folder)).includes(name)) return false;
  await records.put(name, Buffer.from(`${now.toISOString()} ${reason}\n`));
  return true;
}

export async function readStoredCheckpoint(name: string): Promise<string> {
  return (await (await backend()).records.read(name)).toString("utf8");
}

/** The checkpoint's id in its name. */
export const checkpointIdOf = (name: string): string => /(chk_\w+)\.json$/.exec(name)?.[1] ?? "";
