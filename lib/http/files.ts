/** What doors do with the files that come with requests. */
import type { Context, Visit } from "#lib/core/context.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { keep } from "#lib/storage/store.ts";
import type { Files } from "./door.ts";

/** A workspace's files are stored in it. */
export const workspaceFiles: Files<Context> = {
  turn: turnOf,
  async store(ctx, { incoming }, file) {
    await keep(ctx.organizationId, incoming);
    return file;
  },
};

/** A stranger's file is stored nowhere: once the answer is there, or whoever sent it has hung up, it is gone. */
export function strangersFiles<Ctx extends Visit>(share: (ctx: Ctx) => string): Files<Ctx> {
  return {
    areStrangers: true,
    turn: (ctx) => ({ share: share(ctx), signal: ctx.gone?.() }),
    store: async (_, { incoming }, file) => ({ ...file, path: incoming.path }),
  };
}
