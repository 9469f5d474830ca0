/** Slips around promises of docs/security.md that no other list here breaks. */
import type { Mutant } from "./mutant.ts";

export const promises: Mutant[] = [
  {
    slip: "an obligation is found by its id in every workspace",
    edits: [
      {
        file: "lib/obligations/obligations.ts",
        find: "reader().obligation.findUnique({ where: { organizationId_id: { ...own(ctx), id } } })",
        replace: "reader().obligation.findFirst({ where: { id } })",
      },
    ],
    caughtBy: { file: "e2e/api/conformance.spec.ts", title: "responds 404 to another workspace's ID" },
  },
  {
    slip: "one scope of several is enough",
    edits: [
      {
        file: "lib/core/execute.ts",
        find: "if (missing.length === 0) return;",
        replace: "if (missing.length === 0 || missing.length < operation.scopes.length) return;",
      },
    ],
    caughtBy: {
      file: "e2e/api/conformance.spec.ts",
      title: "requires each of its scopes, and names a missing one",
    },
  },
  {
    slip: "a key makes owners",
    edits: [
      {
        file: "lib/people/members/members.ts",
        find: 'if (!touched.includes("owner")) return;',
        replace: 'if (!touched.includes("owner") || actor.kind === "api_key") return;',
      },
    ],
    caughtBy: {
      file: "e2e/api/members.spec.ts",
      title: "an API key can neither appoint, demote nor invite an owner",
    },
  },
  {
    slip: "the last owner can go",
    edits: [
      {
        file: "lib/people/members/members.ts",
        find: "if (owners > 1) return;",
        replace: "if (owners > 0) return;",
      },
    ],
    caughtBy: {
      file: "e2e/api/members.spec.ts",
      title: "the last owner cannot be removed or demoted, even when two owners demote each other at once",
    },
  },
  {
    slip: "a revoked key goes on working",
    edits: [
      {
        file: "lib/keys/keys.ts",
        find: "k.revoked_at IS NULL AND (k.expires_at IS NULL",
        replace: "(k.expires_at IS NULL",
      },
    ],
    caughtBy: {
      file: "e2e/api/requests.spec.ts",
      title: "a revoked, expired or unknown API key is refused at once",
    },
  },
  {
    slip: "a key over its limit is let through",
    edits: [{ file: "lib/http/rate-limit.ts", find: "if (isOver) {", replace: "if (isOver && !caller) {" }],
    caughtBy: {
      file: "e2e/api/requests.spec.ts",
      title:
        "an API key over its rate limit is refused with the time to wait, and other keys are not affected",
    },
  },
  {
    slip: "what a signer does in two tabs is not done one after the other",
    edits: [
      {
        file: "lib/signatures/rows.ts",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what stands there.
        find: "WHERE organization_id = ${ctx.organizationId} AND id = ${id} FOR UPDATE`;",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
        replace: "WHERE organization_id = ${ctx.organizationId} AND id = ${id}`;",
      },
    ],
    caughtBy: {
      file: "e2e/api/signing.spec.ts",
      title: "20 concurrent attempts to finish record one signature",
    },
  },
  {
    slip: "links and cookies of signers are stored as they are",
    edits: [
      {
        file: "lib/signatures/links.ts",
        find: 'new Uint8Array(hash("sha256", token, "buffer"))',
        replace: "new Uint8Array(Buffer.from(token))",
      },
    ],
    caughtBy: {
      file: "e2e/api/signing.spec.ts",
      title:
        "a signing link's token, its visit's cookie and its code are not stored in links, sessions or queued jobs",
    },
  },
  {
    slip: "the database lets the audit log be deleted",
    edits: [
      {
        file: "prisma/migrations/20261121000000_init/migration.sql",
        find: 'BEFORE UPDATE OR DELETE ON "audit_events"',
        replace: 'BEFORE UPDATE ON "audit_events"',
      },
    ],
    caughtBy: {
      file: "e2e/api/audit.spec.ts",
      title: "the database refuses to update, delete or truncate audit events",
    },
  },
  {
    slip: "the database lets the history of a signing be deleted",
    edits: [
      {
        file: "prisma/migrations/20261121000000_init/migration.sql",
        find: 'BEFORE UPDATE OR DELETE ON "signing_events"',
        replace: 'BEFORE UPDATE ON "signing_events"',
      },
    ],
    caughtBy: {
      file: "e2e/api/signing.spec.ts",
      title: "the database refuses to change, delete or truncate signing events",
    },
  },
  {
    slip: "an altered secret is decrypted to something else",
    edits: [
      {
        file: "lib/core/encryption.ts",
        find: "Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()])",
        replace: "decipher.update(sealed.subarray(textAt))",
      },
    ],
    caughtBy: {
      file: "lib/core/encryption.test.ts",
      title: "unsealing fails if any bit is flipped, or if the ciphertext is truncated",
    },
  },
  {
    slip: "a link to a file can be altered",
    edits: [
      {
        file: "lib/storage/signed.ts",
        find: "if (given.length !== expected.length || !timingSafeEqual(given, expected)) {",
        replace: "if (given.length !== expected.length) {",
      },
    ],
    caughtBy: {
      file: "e2e/api/documents.spec.ts",
      title: "a signed URL serves a single file, for five minutes, with scripts disabled",
    },
  },
  {
    slip: "webhooks reach private IPv4 addresses",
    edits: [
      {
        file: "lib/egress/targets.ts",
        find: 'if (parsed instanceof ip.IPv4) return parsed.range() === "unicast";',
        replace: "if (parsed instanceof ip.IPv4) return true;",
      },
    ],
    caughtBy: {
      file: "lib/egress/egress.test.ts",
      title: "a hostile URL is refused and never reaches this machine, in any notation",
    },
  },
  {
    slip: "a path from the folder of the start is read from the folder of a program",
    edits: [
      {
        file: "lib/documents/sandbox/child.ts",
        find: "{ ...input, path: resolve(input.path) }",
        replace: "{ ...input, path: input.path }",
      },
    ],
    caughtBy: {
      file: "e2e/api/data-folder.spec.ts",
      title: "uploading, rendering, reading, sealing and verifying documents work with a relative DATA_DIR",
    },
  },
  {
    slip: "an owner is demoted without confirming",
    edits: [
      {
        file: "lib/doors/step-up.ts",
        find: "powerful(input) || ofOwner(input, who)",
        replace: "powerful(input)",
      },
    ],
    caughtBy: {
      file: "e2e/api/member-door.spec.ts",
      title: "demoting or removing a member requires a password confirmation only if they are an owner",
    },
    pages: true,
  },
  {
    slip: "a workspace's whole queue comes before another workspace's",
    edits: [{ file: "lib/core/lanes.ts", find: "      this.#moveBack(next);\n", replace: "" }],
    caughtBy: {
      file: "lib/core/lanes.test.ts",
      title: "in every lane, a share's first job waits for at most two of another share's whole queue",
    },
  },
  {
    slip: "two lanes share one queue",
    edits: [
      {
        file: "lib/core/lanes.ts",
        find: "/** Throws a 503 if the lane is full, before a file is read for nothing. */",
        replace: "queues.outlines = queues.images;",
      },
    ],
    caughtBy: {
      file: "lib/core/lanes.test.ts",
      title: "a job starts at once in any lane while all other lanes are full",
    },
  },
  {
    slip: "what a hidden layer showed stays in the file",
    edits: [
      {
        file: "lib/documents/freeze/freeze.ts",
        find: "  sweep(context);\n  settleForPrint(context);\n  sweep(context);\n",
        replace: "  settleForPrint(context);\n",
      },
    ],
    caughtBy: {
      file: "lib/documents/freeze/freeze.test.ts",
      title: "text on hidden layers is removed from the file, not only hidden",
    },
  },
];
