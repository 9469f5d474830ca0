/** The signers as entered in the form, and in the server's format. */
import type { InputOf } from "#lib/doors/client.ts";
import type { Envelope } from "../request-actions.ts";

export interface SignerRow {
  /** Identifies the row, because a new signer has no id until it is saved. */
  key: string;
  id?: string;
  name: string;
  email: string;
  userId: string | null;
  counterpartyContactId: string | null;
  /** Whether they sign at the same time as the previous signer. */
  together: boolean;
  codeRequired: boolean;
}

type Sent = NonNullable<InputOf<"signatures.updateDraft">["signers"]>;

export function rowsFrom({ signers }: Pick<Envelope, "signers">): SignerRow[] {
  return signers.map(
    ({ id, name, email, userId, counterpartyContactId, orderIndex, codeRequired }, index) => ({
      ...{ key: id, id, name, email, userId, counterpartyContactId, codeRequired },
      together: index > 0 && signers[index - 1]?.orderIndex === orderIndex,
    }),
  );
}

export const newKey = (): string => Math.random().toString(36).slice(2);

/** Returns the turn of each row, from 0. */
export function turnsOf(rows: readonly SignerRow[]): number[] {
  let turn = -1;
  return rows.map(({ together }, index) => {
    if (index === 0 || !together) turn += 1;
    return turn;
  });
}

/** Matches what looks like an e-mail address; only sending to it shows whether it is one. */
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Returns what is wrong with a row, by field. */
export function rowErrors({ name, email }: SignerRow): { name?: string; email?: string } {
  return {
    ...(name.trim() === "" ? { name: "is required" } : {}),
    ...(address.test(email.trim())
      ? {}
      : { email: email.trim() === "" ? "is required" : "must be an e-mail address" }),
  };
}

/** Returns the signers in the server's format, or undefined while a row is incomplete. */
export function signersFrom(rows: readonly SignerRow[]): Sent | undefined {
  if (rows.some((row) => Object.keys(rowErrors(row)).length > 0)) return undefined;
  const turns = turnsOf(rows);
  return rows.map(({ id, name, email, userId, counterpartyContactId, codeRequired }, index) => ({
    ...(id === undefined ? {} : { id }),
    ...{ name: name.trim(), email: email.trim(), userId, counterpartyContactId, codeRequired },
    orderIndex: turns[index]!,
  }));
}

/**
 * Returns the rows with the ids assigned by the server, which are matched by turn, address and name as sent.
 */
export function withIds(rows: SignerRow[], sent: readonly SignerRow[], { signers }: Envelope): SignerRow[] {
  const turns = turnsOf(sent);
  const given = new Map<string, string>();
  const taken = new Set(sent.flatMap(({ id }) => id ?? []));
  for (const [index, row] of sent.entries()) {
    if (row.id !== undefined) continue;
    const found = signers.find(
      ({ id, orderIndex, email, name }) =>
        !taken.has(id) &&
        orderIndex === turns[index] &&
        email.toLowerCase() === row.email.trim().toLowerCase() &&
        name === row.name.trim(),
    );
    if (!found) continue;
    taken.add(found.id);
    given.set(row.key, found.id);
  }
  return rows.map((row) =>
    row.id === undefined && given.has(row.key) ? { ...row, id: given.get(row.key) } : row,
  );
}

/** Returns the rows with one of them moved to another position. */
export function moveRow(rows: readonly SignerRow[], from: number, to: number): SignerRow[] {
  const next = [...rows];
  const [row] = next.splice(from, 1);
  if (row) next.splice(to, 0, row);
  return next;
}
