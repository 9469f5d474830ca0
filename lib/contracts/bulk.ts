/** One action on many contracts. Each runs on its own, so a failure does not stop the others. */
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { archiveContract } from "./archive.ts";
import { moveContract } from "./contracts.ts";
import type { ManyArchived, ManyChanged, ManyMoved, ManyTagged } from "./schema.ts";
import { maxTags } from "./tags/catalogue.ts";
import { tagKey } from "./tags/schema.ts";
import { updateContract } from "./update.ts";

export async function moveContracts(
  ctx: Context,
  { ids, ...move }: { ids: string[] } & Omit<Parameters<typeof moveContract>[1], "id">,
): Promise<ManyMoved> {
  const results = await eachOf(ids, async (id) => {
    const { status } = await moveContract(ctx, { id, ...move });
    return { status };
  });
  return { results: results.map(({ done, ...result }) => ({ ...result, status: done?.status ?? null })) };
}

export async function archiveContracts(ctx: Context, { ids, archived }: ManyArchived): Promise<ManyChanged> {
  const results = await eachOf(ids, async (id) => {
    let changed = false;
    await archiveContract(ctx, id, archived, ({ archivedAt }) => {
      changed = (archivedAt !== null) !== archived;
    });
    return { changed };
  });
  return changedOf(results);
}

/** Adds tags to contracts and removes others; a tag that a contract already has keeps its spelling. */
export async function tagContracts(ctx: Context, { ids, add, remove }: ManyTagged): Promise<ManyChanged> {
  const results = await eachOf(ids, async (id) => {
    let changed = false;
    await updateContract(ctx, id, ({ tags: before }) => {
      const tags = withTags(before, add, remove);
      if (tags.length > maxTags)
        throw new Refusal("conflict", `A contract can have at most ${maxTags} tags.`);
      changed = tags.join("\n") !== before.join("\n");
      return { fields: { tags }, action: "CONTRACT_UPDATED" };
    });
    return { changed };
  });
  return changedOf(results);
}

function withTags(before: string[], add: string[], remove: string[]): string[] {
  const keysOf = (tags: string[]) => new Set(tags.map(tagKey));
  const [had, gone] = [keysOf(before), keysOf(remove)];
  const kept = before.filter((tag) => !gone.has(tagKey(tag)));
  return [...kept, ...add.filter((tag) => !had.has(tagKey(tag)))];
}

interface Outcome<T> {
  id: string;
  ok: boolean;
  done: T | null;
  code: string | null;
  message: string | null;
}

async function eachOf<T>(ids: string[], act: (id: string) => Promise<T>): Promise<Outcome<T>[]> {
  const results: Outcome<T>[] = [];
  for (const id of new Set(ids)) {
    try {
      results.push({ id, ok: true, done: await act(id), code: null, message: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push({ id, ok: false, done: null, code: error.code, message: error.message });
    }
  }
  return results;
}

const changedOf = (results: Outcome<{ changed: boolean }>[]): ManyChanged => ({
  results: results.map(({ done, ...result }) => ({ ...result, changed: done?.changed ?? false })),
});
