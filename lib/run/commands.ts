/** The operator's commands. */

import "#lib/events/listen.ts";
import { z } from "zod";
import { reader } from "#lib/core/change.ts";
import { clock } from "#lib/core/clock.ts";
import { type Context, systemContext } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { type Preset, roles } from "#lib/core/scopes.ts";
import { choice, email, idIn, name, timestampIn } from "#lib/core/wire.ts";
import { insertKey, revokeKey } from "#lib/keys/keys.ts";
import { resealMails } from "#lib/mail/sealed-mails.ts";
import { NewPassword } from "#lib/people/accounts/schema.ts";
import { findPlan } from "#lib/people/members/seats.ts";
import { addMember, createWorkspace, setPlan } from "#lib/people/members/workspaces.ts";
import { resealSigningKeys } from "#lib/signatures/seal/keys.ts";
import { resealSecrets } from "#lib/webhooks/endpoints.ts";
import { listJobs, retryJob } from "./jobs.ts";
import { progressBar, readableFile, readOperatorsFile } from "./operators-file.ts";
import { readPassword } from "./terminal.ts";

export interface Command<Flags extends z.ZodObject = z.ZodObject> {
  usage: string;
  /** The schemas of the flags by name. They parse strings, or booleans for flags without a value. */
  flags: Flags;
  run(flags: z.output<Flags>): Promise<object>;
  /** Whether the command needs no database with these flags. If so, none is connected or started. */
  isOffline?(flags: z.output<Flags>): boolean;
  /** Whether a result makes the exit code 1. */
  failed?(answer: object): boolean;
}

const command = <Flags extends z.ZodObject>(definition: Command<Flags>) => definition as unknown as Command;

const keyNames: Record<Preset, string> = { full_access: "Full access", read_only: "Read-only" };

/** `-` reads the password from standard input: on a command line it would appear in the shell's history and in `ps`. */
const password = z
  .string()
  .transform(async (said) => (said === "-" ? readPassword() : said))
  .pipe(NewPassword);

const seats = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1 to 999999")
  .transform(Number);

/** A certificate's SHA-256 fingerprint, with or without colons. */
const fingerprint = z
  .string()
  .transform((text) => text.replace(/[:\s]/g, "").toLowerCase())
  .refine((text) => /^[0-9a-f]{64}$/.test(text), {
    error: "must be a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons",
  });

/** The folder or bucket of the backups. */
const place = z.string().min(1, "is required");

export const commands: Record<string, Command> = {
  migrate: command({
    usage: "(brings the database to this version, as a start does)",
    flags: z.object({}),
    // Every command migrates the database before it runs.
    run: async () => ({ migrated: true }),
  }),
  "create-workspace": command({
    usage: "--name NAME --owner-email ADDRESS --owner-name NAME --owner-password PASSWORD|-",
    flags: z.object({ name, "owner-email": email, "owner-name": name, "owner-password": password }),
    run: (flags) =>
      createWorkspace({
        name: flags.name,
        ownerEmail: flags["owner-email"],
        ownerName: flags["owner-name"],
        ownerPassword: flags["owner-password"],
      }),
  }),
  "create-key": command({
    usage: "--organization ID --preset full_access|read_only [--name NAME] [--expires TIMESTAMP]",
    flags: z.object({
      organization: idIn("organization"),
      preset: choice(["full_access", "read_only"]),
      name: name.optional(),
      expires: timestampIn.refine((date) => date > clock(), { error: "must be in the future" }).optional(),
    }),
    run: async ({ organization, preset, name = keyNames[preset], expires = null }) => {
      const ctx = await workspace(organization);
      const { id, key } = await insertKey(ctx, { name, preset, expiresAt: expires });
      return { id, key };
    },
  }),
  "revoke-key": command({
    usage: "--id ID",
    flags: z.object({ id: idIn("apiKey") }),
    run: async ({ id }) => {
      const key = await reader().apiKey.findFirst({ where: { id } });
      if (!key) throw new Refusal("not_found", `There is no key ${id}.`);
      await revokeKey(await workspace(key.organizationId), id);
      return { id };
    },
  }),
  "set-plan": command({
    usage: "--organization ID [--seats NUMBER] [--status active|inactive]",
    flags: z.object({
      organization: idIn("organization"),
      seats: seats.optional(),
      status: choice(["active", "inactive"]).optional(),
    }),
    run: async ({ organization, ...next }) => setPlan(await workspace(organization), next),
  }),
  "add-member": command({
    usage:
      "--organization ID --email ADDRESS --name NAME --password PASSWORD|- --role owner|admin|member|viewer",
    flags: z.object({
      organization: idIn("organization"),
      email,
      name,
      password,
      role: choice(roles),
    }),
    run: async ({ organization, ...person }) => addMember(await workspace(organization), person),
  }),
  "rotate-secret-key": command({
    usage: "(with SECRET_KEY the new one and SECRET_KEY_PREVIOUS the old one)",
    flags: z.object({}),
    run: async () => ({
      resealed: (await resealSecrets()) + (await resealSigningKeys()) + (await resealMails()),
    }),
  }),
  jobs: command({
    usage: "[--retry ID]",
    flags: z.object({
      retry: z
        .string()
        .regex(/^\d{1,18}$/, "must be a job's id, a number")
        .optional(),
    }),
    run: async ({ retry }) => (retry === undefined ? listJobs() : retryJob(retry)),
  }),
  "search-index": command({
    usage: "--organization ID [--rebuild]",
    flags: z.object({ organization: idIn("organization"), rebuild: z.boolean().default(false) }),
    run: async ({ organization, rebuild }) => {
      const { describeIndex, rebuildIndex } = await import("#lib/overview/search/catch-up.ts");
      const ctx = await workspace(organization);
      return rebuild ? rebuildIndex(ctx) : describeIndex(ctx);
    },
  }),
  backup: command({
    usage: "--to FOLDER|s3://BUCKET/PREFIX [--verify]",
    flags: z.object({ to: place, verify: z.boolean().default(false) }),
    run: async ({ to, verify }) => {
      const { createBackup } = await import("./backup/create.ts");
      const { checkBackup } = await import("./backup/restore.ts");
      const created = await createBackup(to);
      const problems = verify ? (await checkBackup(to, created.backup)).problems : [];
      const { damaged, missing } = created;
      return { ...created, problems, ok: damaged.length + missing.length + problems.length === 0 };
    },
    failed: (answer) => "ok" in answer && answer.ok !== true,
  }),
  restore: command({
    usage:
      "--from FOLDER|s3://BUCKET/PREFIX [--backup NAME] [--verify, which reads all of it and restores nothing]",
    flags: z.object({ from: place, backup: z.string().optional(), verify: z.boolean().default(false) }),
    isOffline: ({ verify }) => verify === true,
    run: async ({ from, backup, verify }) => {
      const { checkBackup, restoreBackup } = await import("./backup/restore.ts");
      return verify ? checkBackup(from, backup) : restoreBackup(from, backup);
    },
    failed: (answer) => "ok" in answer && answer.ok !== true,
  }),
  "verify-audit": command({
    usage: "--organization ID [--checkpoint FILE]...",
    flags: z.object({
      organization: idIn("organization"),
      checkpoint: z.array(z.string().min(1, "is required").transform(readableFile)).optional(),
    }),
    run: async ({ organization, checkpoint }) => {
      const { proveAudit } = await import("#lib/checkpoints/verify.ts");
      const { storedCheckpoints } = await import("#lib/checkpoints/store.ts");
      // A workspace with checkpoints has existed. If it is gone now, that is what the result must report.
      const wasThere = checkpoint !== undefined || (await storedCheckpoints(organization)).length > 0;
      if (!wasThere) await workspace(organization);
      return proveAudit(organization, checkpoint);
    },
    failed: (answer) => "ok" in answer && answer.ok !== true,
  }),
  "import-template": command({
    usage: "--organization ID --file TEMPLATE.docx [--settings SETTINGS.json]",
    flags: z.object({
      organization: idIn("organization"),
      file: z.string(),
      settings: z.string().optional(),
    }),
    run: async ({ organization, file, settings }) => {
      const { importTemplate } = await import("#lib/templates/import.ts");
      const docx = await readOperatorsFile(file, "file");
      const said = settings === undefined ? null : await readOperatorsFile(settings, "settings");
      const ctx = await workspace(organization);
      return importTemplate(ctx, { path: file, docx, settings: said?.toString() ?? "{}" });
    },
  }),
  "import-contracts": command({
    usage: "--organization ID --csv CONTRACTS.csv (20,000 rows at most) [--files FOLDER] [--dry-run]",
    flags: z.object({
      organization: idIn("organization"),
      csv: z.string(),
      files: z.string().optional(),
      "dry-run": z.boolean().default(false),
    }),
    run: async ({ organization, csv, files, "dry-run": dryRun }) => {
      const { importContracts } = await import("#lib/contracts/import/import.ts");
      const bytes = await readOperatorsFile(csv, "csv");
      const ctx = await workspace(organization);
      const bar = progressBar("rows");
      const report = { csv: bytes, folder: files ?? null, dryRun, onProgress: bar.update };
      return importContracts(ctx, report).finally(bar.stop);
    },
    failed: (answer) => "errors" in answer && Array.isArray(answer.errors) && answer.errors.length > 0,
  }),
  "verify-pdf": command({
    usage: "--file FILE [--offline] [--fingerprint SHA256]",
    flags: z.object({
      file: z.string().min(1, "is required").transform(readableFile),
      offline: z.boolean().default(false),
      fingerprint: fingerprint.optional(),
    }),
    isOffline: ({ offline }) => offline === true,
    run: async ({ file, offline, fingerprint }) => {
      const { verifyOffline, verifyPdf, verifyPdfSealedWith } = await import(
        "#lib/signatures/verify/verification.ts"
      );
      if (offline) return verifyOffline(file, fingerprint);
      return fingerprint === undefined ? verifyPdf(file) : verifyPdfSealedWith(file, fingerprint);
    },
    failed: (answer) => "ok" in answer && answer.ok !== true,
  }),
};

/** Returns the operator's context in a workspace. Throws if the workspace does not exist. */
async function workspace(organizationId: string): Promise<Context> {
  const ctx = systemContext(organizationId, "operator");
  await findPlan(ctx);
  return ctx;
}
