/** Reads signature requests. */

import { findContract } from "#lib/contracts/rows.ts";
import { reader } from "#lib/core/change.ts";
import { type Context, own } from "#lib/core/context.ts";
import type { Prisma } from "#lib/core/db.ts";
import { paged, pageOffset } from "#lib/core/wire.ts";
import { envelopeFrom, findRow, includeListed } from "#lib/signatures/rows.ts";
import type { EnvelopeQuery, SigningEventQuery } from "#lib/signatures/schema.ts";

/** A page of envelopes, of the workspace or of one contract. */
export async function listEnvelopes(ctx: Context, input: EnvelopeQuery, contractId?: string) {
  const where: Prisma.EnvelopeWhereInput = {
    ...own(ctx),
    ...(contractId === undefined ? {} : { contractId }),
    ...(input.status ? { status: { in: input.status } } : {}),
    ...(input.q ? { OR: naming(input.q) } : {}),
  };
  const order =
    input.sort === "completedAt"
      ? { completedAt: { sort: input.dir, nulls: "last" as const } }
      : { [input.sort]: input.dir };
  const [rows, total] = await Promise.all([
    reader().envelope.findMany({
      where,
      include: includeListed,
      orderBy: [order, { id: input.dir }],
      skip: pageOffset(input),
      take: input.pageSize,
    }),
    reader().envelope.count({ where }),
  ]);
  if (contractId !== undefined && rows.length === 0) await findContract(ctx, contractId);
  return paged(rows.map(envelopeFrom), { page: input.page, pageSize: input.pageSize, total });
}

/** Matches the words in the contract's title, or in a signer's name or address. */
function naming(q: string): Prisma.EnvelopeWhereInput[] {
  // Prisma's `contains` passes wildcards through.
  const contains = { contains: q.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" as const };
  return [
    { contract: { is: { title: contains } } },
    { signers: { some: { OR: [{ name: contains }, { email: contains }] } } },
  ];
}

export async function findEnvelope(ctx: Context, id: string) {
  return envelopeFrom(await findRow(ctx, id));
}

/** A page of an envelope's events, newest first. */
export async function listSigningEvents(ctx: Context, input: SigningEventQuery) {
  await findRow(ctx, input.envelopeId);
  const where = { ...own(ctx), envelopeId: input.envelopeId };
  const [rows, total] = await Promise.all([
    reader().signingEvent.findMany({
      where,
      orderBy: { number: input.dir },
      skip: pageOffset(input),
      take: input.pageSize,
    }),
    reader().signingEvent.count({ where }),
  ]);
  return paged(rows, { page: input.page, pageSize: input.pageSize, total });
}
