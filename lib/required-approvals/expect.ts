/** Checks for approvals that a rule requires and no one has given: they block approving by hand and sending. */
import { select } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { type Step, uncovered } from "./evaluate.ts";
import { type Asked, requirementFor } from "./facts.ts";
import { currentApprovers, latestOf } from "./rows.ts";

export interface Missing {
  /** Who still has to approve, for each step in words: "Ada, Grace or Linus". */
  who: string[];
  /** False if no one has been asked. */
  isRequested: boolean;
}

/** Returns the approval that a version, or the newest one, lacks; null if nothing is missing. */
export async function missingApproval(
  ctx: Context,
  contractId: string,
  versionId: string | null = null,
): Promise<Missing | null> {
  const asked = await requirementFor(ctx, contractId, versionId);
  return asked && missingOf(ctx, contractId, asked);
}

/** Returns what is missing of a known requirement. */
export async function missingOf(ctx: Context, contractId: string, asked: Asked): Promise<Missing | null> {
  if (asked.rules.length === 0) return null;
  const latest = await latestOf(ctx, contractId);
  const isAbout = latest?.versionId === asked.versionId;
  if (isAbout && latest.outcome === "APPROVED" && uncovered(asked.rules, latest.rules).length === 0) {
    return null;
  }
  if (!latest || !isAbout || latest.outcome !== null) {
    return { who: await inWords(ctx, asked.steps), isRequested: false };
  }
  const now = await currentApprovers(ctx, latest.id);
  const present =
    now.length > 0
      ? [
          listed(
            now.map(({ name }) => name),
            latest.needs,
          ),
        ]
      : await inWords(ctx, latest.steps.slice(latest.step, latest.step + 1));
  const later = await inWords(ctx, latest.steps.slice(latest.step + 1));
  return { who: [...present, ...later], isRequested: true };
}

/** Throws if a required approval has not been given, and names who is missing. */
export async function expectApproval(
  ctx: Context,
  contractId: string,
  versionId: string | null = null,
): Promise<void> {
  const missing = await missingApproval(ctx, contractId, versionId);
  if (missing) throw new Refusal("approval_needed", missingInWords(missing));
}

export function missingInWords({ who, isRequested }: Missing): string {
  const missing = `The approval of ${who.join(", then of ")} is missing.`;
  return isRequested ? missing : `${missing} Request it on the contract's page.`;
}

const groups: Record<string, { any: string; all: string }> = {
  owner: { any: "any owner", all: "all owners" },
  admin: { any: "any admin", all: "all admins" },
  member: { any: "any member", all: "all members" },
};

async function inWords(ctx: Context, steps: Step[]): Promise<string[]> {
  const ids = [...new Set(steps.flatMap(({ userIds }) => userIds))];
  const people = await select<{ id: string; name: string }>(
    `SELECT u.id, u.name FROM users u JOIN members m ON m.user_id = u.id
     WHERE m.organization_id = $1 AND u.id = ANY($2::text[]) AND m.removed_at IS NULL AND m.role <> 'viewer'
     ORDER BY u.name, u.id`,
    [ctx.organizationId, ids],
  );
  return steps.map(({ needs, role, userIds }) => {
    if (role !== null) return groups[role]![needs === "ANY" ? "any" : "all"];
    const names = people.filter(({ id }) => userIds.includes(id)).map(({ name }) => name);
    // An owner approves in place of a person who has left.
    if (needs === "ALL" && names.length > 0 && names.length < userIds.length) names.push("an owner");
    return names.length > 0 ? listed(names, needs) : "an owner";
  });
}

const most = 10;

function listed(names: string[], needs: Step["needs"]): string {
  const shown = names.length > most ? [...names.slice(0, most), `${names.length - most} others`] : names;
  const type = needs === "ALL" ? "conjunction" : "disjunction";
  return new Intl.ListFormat("en-GB", { type }).format(shown);
}
