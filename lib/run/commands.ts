/** What the operator can do from the command line. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { NewPassword } from "#lib/accounts/schema.ts";
import { reader } from "#lib/change.ts";
import { type Context, systemContext } from "#lib/context.ts";
import { Refusal } from "#lib/errors.ts";
import { mintKey, revokeKey } from "#lib/keys/keys.ts";
import { findPlan } from "#lib/members/seats.ts";
import { addMember, createWorkspace, setPlan } from "#lib/members/workspaces.ts";
import { type Preset, roles } from "#lib/scopes.ts";
import { choice, email, idIn, name, timestampIn } from "#lib/wire.ts";

export interface Command<Flags extends z.ZodObject = z.ZodObject> {
  usage: string;
  /** The flags by their names, as strings. */
  flags: Flags;
  run(flags: z.output<Flags>): Promise<object>;
  /** Whether an answer is bad news, which the exit code tells. */
  failed?(answer: object): boolean;
}

const command = <Flags extends z.ZodObject>(definition: Command<Flags>) => definition as unknown as Command;

const keyNames: Record<Preset, string> = { full_access: "Full access", read_only: "Read-only" };

const seats = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1 to 999999")
  .transform(Number);

export const commands: Record<string, Command> = {
  "create-workspace": command({
    usage: "--name NAME --owner-email ADDRESS --owner-name NAME --owner-password PASSWORD",
    flags: z.object({ name, "owner-email": email, "owner-name": name, "owner-password": NewPassword }),
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
      expires: timestampIn
        .refine((date) => date > new Date(), { error: "must lie in the future" })
        .optional(),
    }),
    run: async ({ organization, preset, name = keyNames[preset], expires = null }) => {
      const ctx = await workspace(organization);
      const { id, key } = await mintKey(ctx, { name, preset, expiresAt: expires });
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
      "--organization ID --email ADDRESS --name NAME --password PASSWORD --role owner|admin|member|viewer",
    flags: z.object({
      organization: idIn("organization"),
      email,
      name,
      password: NewPassword,
      role: choice(roles),
    }),
    run: async ({ organization, ...person }) => addMember(await workspace(organization), person),
  }),
  "verify-audit": command({
    usage: "--organization ID",
    flags: z.object({ organization: idIn("organization") }),
    run: async ({ organization }) => {
      const { organizationId } = await workspace(organization);
      const { verifyAudit } = await import("#lib/audit/verify.ts");
      return verifyAudit(organizationId);
    },
    failed: (answer) => "ok" in answer && answer.ok !== true,
  }),
  "verify-pdf": command({
    usage: "--file FILE",
    flags: z.object({ file: z.string().min(1, "is required") }),
    run: async ({ file }) => {
      const path = resolve(file);
      if (!existsSync(path)) throw new Refusal("not_found", `There is no file ${path}.`);
      const { verifyPdf } = await import("#lib/signatures/verification.ts");
      return verifyPdf(path);
    },
    failed: (answer) => "ok" in answer && answer.ok !== true,
  }),
};

/** The operator's context in a workspace that exists. */
async function workspace(organizationId: string): Promise<Context> {
  const ctx = systemContext(organizationId, "operator");
  await findPlan(ctx);
  return ctx;
}
