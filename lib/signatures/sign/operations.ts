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
import { noteViewed } from "./turn.ts";
import { saveValues } from "./values.ts";

/** What signers do, at a door of their own (app/api/sign). Each act answers what the page has to show next. */
export const ceremony = {
  open: operation({
    summary: "Open a signing link",
    description: "The door exchanges the token for a cookie; only then does this run.",
    scopes: [],
    input: Entry,
    output: StateAnswer,
    errors: ["not_found"],
    run: async (ctx) => {
      await noteViewed(ctx);
      return findState(ctx);
    },
  }),
  state: operation({
    summary: "Read what the signer's page shows",
    scopes: [],
    input: Nothing,
    output: StateAnswer,
    errors: ["forbidden"],
    run: (ctx) => findState(ctx),
  }),
  poll: operation({
    summary: "Ask whether anything has changed",
    scopes: [],
    input: Nothing,
    output: Pulse,
    errors: ["forbidden"],
    run: (ctx) => pulse(ctx),
  }),
  requestCode: operation({
    summary: "Have a code sent by e-mail",
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
    summary: "Get a short-lived address of the document",
    scopes: [],
    input: Nothing,
    output: DocumentUrl,
    errors: ["forbidden", "invalid_transition"],
    run: (ctx) => documentUrl(ctx),
  }),
  saveValues: operation({
    summary: "Keep what was entered",
    scopes: [],
    input: Values,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition"],
    run: async (ctx, input) => {
      await saveValues(ctx, input);
      return findState(ctx);
    },
  }),
  previewSignature: operation({
    summary: "See what a typed signature will look like on the document",
    scopes: [],
    input: Typed,
    output: Preview,
    errors: ["forbidden", "invalid_transition"],
    run: (ctx, input) => preview(ctx, input),
  }),
  picture: operation({
    summary: "See what will be stamped in a field",
    description: "Of the signer's own signature, and of what those filled in who have signed.",
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
    run: async (ctx, input) => {
      await adoptSignature(ctx, input);
      return findState(ctx);
    },
  }),
  finish: operation({
    summary: "Sign",
    scopes: [],
    input: Finishing,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition"],
    run: async (ctx, input) => {
      await finish(ctx, input);
      return findState(ctx);
    },
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
    summary: "Have somebody else sign",
    scopes: [],
    input: Delegation,
    output: StateAnswer,
    errors: ["forbidden", "invalid_transition"],
    run: async (ctx, input) => {
      await delegate(ctx, input);
      return findState(ctx);
    },
  }),
  download: operation({
    summary: "Get a short-lived address of the signed PDF",
    scopes: [],
    input: Nothing,
    output: DocumentUrl,
    errors: ["forbidden", "invalid_transition", "signed_pdf_not_ready"],
    run: (ctx) => downloadUrl(ctx),
  }),
};
