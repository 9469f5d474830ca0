/**
 * The signers' doors over HTTP: POST /api/sign/NAME with JSON, only for our own pages. A link's token starts a visit
 * and gets its cookie; further requests name the signer in x-signer-id and send that cookie.
 */
import type { Context, Visit } from "#lib/core/context.ts";
import { networkOf } from "#lib/core/network.ts";
import type { Door } from "#lib/http/door.ts";
import { findSignerOperation } from "#lib/operations.ts";
import { admitByLink, admitSigner, visitOf } from "./admit.ts";
import { byName } from "./by-name.ts";
import { signerCookie } from "./signer-cookie.ts";

export const signerPath = "/api/sign";

const signer = {
  limitBefore: ({ ip }) => `signer ${networkOf(ip)}`,
  requiresJson: true,
} satisfies Partial<Door<Context>>;

const visit: Door<Context> = {
  ...signer,
  admit: async (caller) => ({ ctx: await admitSigner(caller, caller.header("x-signer-id") ?? "") }),
};

/** The token is in the input: until that is read, the caller is unknown. */
const link: Door<Visit> = {
  ...signer,
  admit: async (caller) => ({ ctx: visitOf(caller) }),
  async admitInput(_, input, { caller, headers }) {
    const { ctx, cookie } = await admitByLink(caller, String((input as { token?: unknown }).token));
    headers["set-cookie"] = signerCookie(ctx.actor.id, cookie);
    return ctx;
  },
};

/** Responds to one request. Never throws. */
export const handleSignerRequest = byName(signerPath, findSignerOperation, { link, visit });
