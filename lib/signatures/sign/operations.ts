import { operation } from "#lib/core/operation.ts";
import { adoptSignature, decline, finish, giveConsent } from "./actions.ts";
import { requestCode, verifyCode } from "./codes.ts";
import { delegate } from "./delegate.ts";
import { documentUrl, downloadUrl } from "./document.ts";
import { pictureOf, preview } from "./pictures.ts";
import {
  Adoption,
  Code,
  Consent,
  Declining,
  Delegation,
  DocumentUrl,
  Entry,
  Finishing,
  Nothing,
  Picture,
  PictureOf,
  Preview,
  Pulse,
  StateAnswer,
  Typed,
  Values,
} from "./schema.ts";
import { findState, pulse } from "./state.ts";
import { recordViewed } from "./turn.ts";
import { saveValues } from "./values.ts";

/** What signers do, behind a door of their own (app/api/sign). Every action returns what the page shows next. */
export const ceremony = {
  open: operation({
    summary: "Open a signing link",
    description: "The token is exchanged for a cookie before this runs.",
    scopes: [],
    input: Entry,
    output: StateAnswer,
    errors: ["not_found"],
    run: async (ctx) => findState(ctx, await recordViewed(ctx)),
  }),
  state: operation({
    summary: "Get what the signing page shows",
    scopes: [],
    input: Nothing,
    output: StateAnswer,
    errors: ["forbidden"],
    run: (ctx) => findState(ctx),
  }),
  poll: operation({
    summary: "Check whether anything has changed",
    scopes: [],
    input: Nothing,
    output: Pulse,
    errors: ["forbidden"],
    run: (ctx) => pulse(ctx),
  }),
  requestCode: operation({
    summary: "Request a code by e-mail",
    scopes: [],
    input: Nothing,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition", "rate_limited"],
    run: async (ctx) => {
      await requestCode(ctx);
      return findState(ctx);
    },
  }),
  verifyCode: operation({
    summary: "Enter the code",
    scopes: [],
    input: Code,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition"],
    run: async (ctx, { code }) => {
      await verifyCode(ctx, code);
      return findState(ctx);
    },
  }),
  consent: operation({
    summary: "Agree to sign electronically",
    scopes: [],
    input: Consent,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition", "conflict"],
    run: async (ctx, { hash }) => {
      await giveConsent(ctx, hash);
      return findState(ctx);
    },
  }),
  document: operation({
    summary: "Get a short-lived link to the document",
    scopes: [],
    input: Nothing,
    output: DocumentUrl,
    errors: ["forbidden", "invalid_transition"],
    run: (ctx) => documentUrl(ctx),
  }),
  saveValues: operation({
    summary: "Save what was entered",
    scopes: [],
    input: Values,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition"],
    run: async (ctx, input) => findState(ctx, await saveValues(ctx, input)),
  }),
  previewSignature: operation({
    summary: "Preview a typed signature",
    scopes: [],
    input: Typed,
    output: Preview,
    errors: ["forbidden", "invalid_transition"],
    run: (ctx, input) => preview(ctx, input),
  }),
  picture: operation({
    summary: "Preview what will be stamped in a field",
    description: "For the signer's own signature, and for what those who have signed filled in.",
    scopes: [],
    input: PictureOf,
    output: Picture,
    errors: ["forbidden", "invalid_transition", "not_found"],
    run: (ctx, input) => pictureOf(ctx, input),
  }),
  adoptSignature: operation({
    summary: "Adopt a signature",
    scopes: [],
    input: Adoption,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition", "conflict", "rate_limited"],
    run: async (ctx, input) => findState(ctx, await adoptSignature(ctx, input)),
  }),
  finish: operation({
    summary: "Sign",
    scopes: [],
    input: Finishing,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition"],
    run: async (ctx, input) => findState(ctx, await finish(ctx, input)),
  }),
  decline: operation({
    summary: "Decline to sign",
    scopes: [],
    input: Declining,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition", "conflict"],
    run: async (ctx, { reason }) => {
      await decline(ctx, reason);
      return findState(ctx);
    },
  }),
  delegate: operation({
    summary: "Delegate to someone else",
    scopes: [],
    input: Delegation,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition", "conflict"],
    run: async (ctx, input) => findState(ctx, await delegate(ctx, input)),
  }),
  download: operation({
    summary: "Get a short-lived link to the signed PDF",
    scopes: [],
    input: Nothing,
    output: DocumentUrl,
    errors: ["forbidden", "invalid_transition", "signed_pdf_not_ready"],
    run: (ctx) => downloadUrl(ctx),
  }),
};
