import { operation } from "#lib/core/operation.ts";
import { checkDraft } from "#lib/signatures/draft/checks.ts";
import { createDraft, discardDraft, duplicateAsDraft, updateDraft } from "#lib/signatures/draft/drafts.ts";
import {
  CopiedLink,
  Correction,
  DraftPatch,
  EnvelopeId,
  Extension,
  Findings,
  NewDraft,
  PlacedAnchors,
  Reminder,
  SignerId,
  Voiding,
  Watched,
} from "#lib/signatures/draft/schema.ts";
import { placeAnchors } from "#lib/signatures/draft/text-tags.ts";
import { endUnsealable } from "./end-unsealable.ts";
import { correctSigner, extendDeadline, remind, voidRequest } from "./manage.ts";
import { copyLink, openOwnLink } from "./own-links.ts";
import { findProgress } from "./progress.ts";
import { retrySealing } from "./retry.ts";
import { sendDraft } from "./send.ts";

/** What members do with signature requests. None of it is in the API: sending is a human action. */
export const sending = {
  progress: operation({
    summary: "Get a signature request's progress",
    scopes: ["signatures:read"],
    input: EnvelopeId,
    output: Watched,
    errors: ["not_found"],
    run: (ctx, { envelopeId }) => findProgress(ctx, envelopeId),
  }),
  createDraft: operation({
    summary: "Create a signature request",
    scopes: ["signatures:write"],
    input: NewDraft,
    output: Watched,
    status: 201,
    errors: ["forbidden", "not_found"],
    run: async (ctx, input) => findProgress(ctx, await createDraft(ctx, input)),
  }),
  updateDraft: operation({
    summary: "Update a draft signature request",
    scopes: ["signatures:write"],
    input: DraftPatch,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition", "conflict"],
    run: async (ctx, input) => {
      await updateDraft(ctx, input);
      return findProgress(ctx, input.envelopeId);
    },
  }),
  placeAnchors: operation({
    summary: "Place fields on the document's tags",
    scopes: ["signatures:write"],
    input: EnvelopeId,
    output: PlacedAnchors,
    errors: ["not_found", "forbidden", "invalid_transition", "unsigned_pdf_not_ready", "conflict"],
    awaitsDocuments: true,
    run: async (ctx, { envelopeId }) => {
      const placed = await placeAnchors(ctx, envelopeId);
      return { ...placed, ...(await findProgress(ctx, envelopeId)) };
    },
  }),
  check: operation({
    summary: "Check a draft signature request",
    scopes: ["signatures:read"],
    input: EnvelopeId,
    output: Findings,
    errors: ["not_found"],
    awaitsDocuments: true,
    run: (ctx, { envelopeId }) => checkDraft(ctx, envelopeId),
  }),
  send: operation({
    summary: "Send a signature request",
    scopes: ["signatures:write"],
    input: EnvelopeId,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition", "approval_needed", "envelope_open", "conflict"],
    awaitsDocuments: true,
    run: async (ctx, { envelopeId }) => {
      await sendDraft(ctx, envelopeId);
      return findProgress(ctx, envelopeId);
    },
  }),
  discardDraft: operation({
    summary: "Discard a draft signature request",
    scopes: ["signatures:write"],
    input: EnvelopeId,
    errors: ["not_found", "forbidden", "invalid_transition"],
    run: (ctx, { envelopeId }) => discardDraft(ctx, envelopeId),
  }),
  duplicateAsDraft: operation({
    summary: "Duplicate a signature request",
    scopes: ["signatures:write"],
    input: EnvelopeId,
    output: Watched,
    status: 201,
    errors: ["not_found", "forbidden"],
    run: async (ctx, { envelopeId }) => findProgress(ctx, await duplicateAsDraft(ctx, envelopeId)),
  }),
  remind: operation({
    summary: "Remind the signers whose turn it is",
    scopes: ["signatures:write"],
    input: Reminder,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition", "conflict"],
    run: async (ctx, input) => {
      await remind(ctx, input);
      return findProgress(ctx, input.envelopeId);
    },
  }),
  correctSigner: operation({
    summary: "Correct a signer's name or address",
    scopes: ["signatures:write"],
    input: Correction,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition"],
    run: async (ctx, input) => {
      await correctSigner(ctx, input);
      return findProgress(ctx, input.envelopeId);
    },
  }),
  extend: operation({
    summary: "Extend the deadline",
    scopes: ["signatures:write"],
    input: Extension,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition", "approval_needed", "envelope_open", "conflict"],
    run: async (ctx, input) => {
      await extendDeadline(ctx, input);
      return findProgress(ctx, input.envelopeId);
    },
  }),
  void: operation({
    summary: "Void a signature request",
    scopes: ["signatures:write"],
    input: Voiding,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition", "conflict"],
    run: async (ctx, input) => {
      await voidRequest(ctx, input);
      return findProgress(ctx, input.envelopeId);
    },
  }),
  end: operation({
    summary: "End a signature request that cannot be sealed",
    scopes: ["signatures:write"],
    input: Voiding,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition", "conflict"],
    run: async (ctx, input) => {
      await endUnsealable(ctx, input);
      return findProgress(ctx, input.envelopeId);
    },
  }),
  copyLink: operation({
    summary: "Copy a signing link",
    description:
      "For the sender, owners and admins; never the link of a member. The signer is notified by e-mail.",
    scopes: ["signatures:write"],
    input: SignerId,
    output: CopiedLink,
    errors: ["not_found", "forbidden", "invalid_transition"],
    // Only hashes of links are stored.
    ignoresIdempotencyKey: true,
    run: copyLink,
  }),
  openOwnLink: operation({
    summary: "Get your own signing page",
    scopes: ["signatures:write"],
    input: SignerId,
    output: CopiedLink,
    errors: ["not_found", "forbidden", "invalid_transition"],
    run: openOwnLink,
  }),
  retrySealing: operation({
    summary: "Retry sealing now",
    scopes: ["signatures:write"],
    input: EnvelopeId,
    output: Watched,
    errors: ["not_found", "forbidden", "invalid_transition"],
    run: async (ctx, { envelopeId }) => {
      await retrySealing(ctx, envelopeId);
      return findProgress(ctx, envelopeId);
    },
  }),
};
