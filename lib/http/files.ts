/** How doors handle uploaded files. */
import type { Context, Visit } from "#lib/core/context.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { storeIncoming } from "#lib/storage/store.ts";
import type { Files } from "./door.ts";

/** Files for a workspace are stored in it. */
export const workspaceFiles: Files<Context> = {
  turn: turnOf,
  async store(ctx, { incoming }, file) {
    await storeIncoming(ctx.organizationId, incoming);
    return file;
  },
};

/** Strangers' files are not stored: they are removed after the response, or when the sender disconnects. */
export function strangersFiles<Ctx extends Visit>(share: (ctx: Ctx) => string): Files<Ctx> {
  return {
    isForVisitors: true,
    turn: (ctx) => ({ share: share(ctx), signal: ctx.gone?.() }),
    store: async (_, { incoming }, file) => ({ ...file, path: incoming.path }),
  };
}
