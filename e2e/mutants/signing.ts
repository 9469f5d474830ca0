/** Slips that let someone sign who may not, or for whom they are not. */
import type { Mutant } from "./mutant.ts";

const guards = "e2e/api/signing-guards.spec.ts";
const signing = "e2e/api/signing.spec.ts";

export const signers: Mutant[] = [
  {
    slip: "the code from the e-mail is asked for by the screen alone, not by what a signer does",
    edits: [
      {
        file: "lib/signatures/sign/turn.ts",
        find: "  await requireCode(ctx, signer);\n",
        replace: "",
      },
    ],
    caughtBy: {
      file: guards,
      title:
        "without the e-mailed code, no one can consent, adopt a signature, save, sign, decline or delegate",
    },
  },
  {
    slip: "a code that one visit has shown opens every visit of the signer",
    edits: [
      {
        file: "lib/signatures/sign/turn.ts",
        find: "if (!(await isVisitLocked(ctx, signer))) return;",
        replace:
          "const { id: signerId } = requireSigner(ctx);\n  if (!signer.codeRequired || (await reader().signerSession.count({ where: { ...own(ctx), signerId, codeVerifiedAt: { not: null } } })) > 0) return;",
      },
    ],
    caughtBy: {
      file: guards,
      title:
        "without the e-mailed code, no one can consent, adopt a signature, save, sign, decline or delegate",
    },
  },
  {
    slip: "a signer may write every field of the request",
    edits: [
      {
        file: "lib/signatures/sign/values.ts",
        find: "row.fields.filter(({ signerId }) => signerId === signer.id).map((field) => [field.id, field]),",
        replace: "row.fields.map((field) => [field.id, field]),",
      },
    ],
    caughtBy: {
      file: guards,
      title: "a signer cannot write another signer's fields, by saving or by signing",
    },
  },
  {
    slip: "whose turn it is counts for the screen alone",
    edits: [
      {
        file: "lib/signatures/sign/turn.ts",
        find: '  if (obstacle) throw new Refusal("invalid_transition", inWords(obstacle, row, signer));',
        replace:
          '  if (obstacle === "over") throw new Refusal("invalid_transition", inWords(obstacle, row, signer));',
      },
    ],
    caughtBy: {
      file: guards,
      title: "a signer cannot act out of turn, after signing, or once the request has ended",
    },
  },
  {
    slip: "signing needs no consent",
    edits: [
      {
        file: "lib/signatures/sign/turn.ts",
        find: "if (consented && !signer.consentAt) {",
        replace: "if (consented && !signer.consentAt && !ctx.organizationId) {",
      },
    ],
    caughtBy: {
      file: signing,
      title: "nothing can be signed before consent or without a required field",
    },
  },
  {
    slip: "wrong codes are not counted",
    edits: [
      {
        file: "lib/signatures/sign/codes.ts",
        find: "data: { codeTries: visit.codeTries + 1 } });",
        replace: "data: { codeTries: visit.codeTries } });",
      },
    ],
    caughtBy: {
      file: signing,
      title: "a code works only in the visit that requested it, and only until five wrong attempts",
    },
  },
  {
    slip: "a visit goes on when its link was revoked",
    edits: [
      {
        file: "lib/signatures/sign/sessions.ts",
        find: "|| found.link.revokedAt || found.expiresAt",
        replace: "|| found.expiresAt",
      },
      {
        file: "lib/signatures/links.ts",
        find: "  await tx.signerSession.updateMany({ where, data: { expiresAt: ctx.now } });\n",
        replace: "",
      },
    ],
    caughtBy: {
      file: signing,
      title: "correcting a signer's address sends a new link and invalidates the old ones",
    },
  },
  {
    slip: "one signer's images are read all at once",
    edits: [
      {
        file: "lib/core/lanes.ts",
        find: "images: { atOnce: 1, ofShare: 1, waiting: { inAll: 100, ofShare: 2 }",
        replace: "images: { atOnce: 9, ofShare: 9, waiting: { inAll: 100, ofShare: 100 }",
      },
    ],
    caughtBy: {
      file: "e2e/attacks/signers.spec.ts",
      title:
        "a signer's images are read one at a time, excess ones get 503, and another signer waits for at most two",
    },
  },
];
