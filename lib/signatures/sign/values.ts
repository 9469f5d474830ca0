/** The values that signers enter into fields: validated by type, stored as entered. */

import { skipAudit } from "#lib/core/change.ts";
import type { Context } from "#lib/core/context.ts";
import { dayOf } from "#lib/core/dates.ts";
import type { Transaction } from "#lib/core/db.ts";
import { type Issue, invalid } from "#lib/core/errors.ts";
import { dayIn } from "#lib/core/wire.ts";
import { automaticTypes, handwrittenTypes } from "../lifecycle.ts";
import type { EnvelopeRow, FieldRow, SignerRow } from "../rows.ts";
import type { Values } from "./schema.ts";
import { inTurn } from "./turn.ts";

type Value = Values["values"][number]["value"];
type FieldEntry = Pick<FieldRow, "filled" | "value">;

const empty: FieldEntry = { filled: false, value: null };
const number = /^[+-]?\d{1,15}([.,]\d{1,10})?$/;

/** The stored form of a value, or a text that says what is wrong with it. */
function parseValue(field: FieldRow, value: Value, signer: SignerRow): FieldEntry | string {
  if (automaticTypes.has(field.type)) return "is filled in automatically when you sign";
  if (handwrittenTypes.has(field.type)) return keptMark(field, value, signer);
  if (field.type === "CHECKBOX") {
    if (value !== null && typeof value !== "boolean") return "must be true or false";
    return { filled: value === true, value: value === null ? null : String(value) };
  }
  if (typeof value === "boolean") return "must be text";
  if (value === null || value === "") return empty;
  return wrongText(field, value) ?? { filled: true, value };
}

function keptMark({ type }: FieldRow, value: Value, signer: SignerRow): FieldEntry | string {
  if (value === null || value === false) return empty;
  if (value !== true) return "must be true or false";
  if (isAdopted(type, signer)) return { filled: true, value: null };
  return type === "SIGNATURE" ? "needs a signature: adopt one first" : "needs initials: adopt them first";
}

const isAdopted = (type: string, { signatureKind, initialsText, initialsSha256 }: SignerRow): boolean =>
  (type === "SIGNATURE" ? signatureKind : (initialsText ?? initialsSha256)) !== null;

/** Clears initials fields if initials were adopted earlier and no longer are: they would be stamped with nothing. */
export async function clearUnadoptedInitials(
  tx: Transaction,
  row: EnvelopeRow,
  signer: SignerRow,
): Promise<void> {
  const own = row.fields.filter(({ signerId, type }) => signerId === signer.id && handwrittenTypes.has(type));
  const lost = own.filter(({ filled, type }) => filled && !isAdopted(type, signer));
  await fill(tx, row, new Map(lost.map(({ id }) => [id, empty])));
}

/** Anything that leaves a mark: excludes spaces, control characters and characters that render as nothing. */
const visible = /[^\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

function wrongText({ type, options }: FieldRow, value: string): string | undefined {
  if (!visible.test(value)) return "must contain visible text";
  if (type === "NUMBER" && !number.test(value)) return "must be a number in digits, such as 1234.50";
  if (type === "DATE" && !dayIn.safeParse(value).success) return "must be a date such as 2026-01-31";
  if (type === "DROPDOWN" && !options.includes(value)) return `must be one of ${options.join(", ")}`;
  return undefined;
}

/** The value of a field that is filled automatically. */
export function automaticValue(type: string, signer: Pick<SignerRow, "name" | "email">, now: Date): string {
  if (type === "NAME") return signer.name;
  return type === "EMAIL" ? signer.email : dayOf(now);
}

/** Saves some values. Not logged anywhere: what a signer types is between them and the document. */
export async function saveValues(ctx: Context, { values }: Values): Promise<EnvelopeRow> {
  return inTurn(ctx, { consented: true }, async ({ tx, row, signer }) => {
    skipAudit();
    await writeValues(tx, row, signer, values);
    return row;
  });
}

/** Writes values under the envelope's lock, and updates `row`; rejects all of them if one is wrong. */
export async function writeValues(
  tx: Transaction,
  row: EnvelopeRow,
  signer: SignerRow,
  values: Values["values"],
): Promise<void> {
  const fields = new Map(
    row.fields.filter(({ signerId }) => signerId === signer.id).map((field) => [field.id, field]),
  );
  const issues: Issue[] = [];
  const kept = values.flatMap(({ fieldId, value }) => {
    const field = fields.get(fieldId);
    const result = field ? parseValue(field, value, signer) : "is not one of your fields";
    if (typeof result !== "string") return [{ fieldId, ...result }];
    issues.push({ path: `values.${fieldId}`, message: result });
    return [];
  });
  if (issues.length > 0) throw invalid(...issues);
  // If a field is given twice, the last value counts.
  await fill(tx, row, new Map(kept.map(({ fieldId, ...value }) => [fieldId, value])));
}

/** Fills the automatic fields: the signer's name and address, and the date. */
export async function fillAutomatic(
  tx: Transaction,
  ctx: Context,
  row: EnvelopeRow,
  signer: SignerRow,
): Promise<void> {
  const own = row.fields.filter(({ signerId, type }) => signerId === signer.id && automaticTypes.has(type));
  const kept = own.map(({ id, type }): [string, FieldEntry] => [
    id,
    { filled: true, value: automaticValue(type, signer, ctx.now) },
  ]);
  await fill(tx, row, new Map(kept));
}

/** In one statement: all other signers of this request wait while it runs. */
async function fill(tx: Transaction, row: EnvelopeRow, kept: Map<string, FieldEntry>): Promise<void> {
  if (kept.size === 0) return;
  const values = [...kept.values()];
  const written = await tx.$queryRaw<(FieldEntry & { id: string })[]>`
    UPDATE signature_fields AS field SET filled = kept.filled, value = kept.value
    FROM unnest(${[...kept.keys()]}::text[], ${values.map(({ filled }) => filled)}::boolean[],
      ${values.map(({ value }) => value)}::text[]) AS kept (id, filled, value)
    WHERE field.organization_id = ${row.organizationId} AND field.id = kept.id
    RETURNING field.id, field.filled, field.value`;
  const byId = new Map(row.fields.map((field) => [field.id, field]));
  for (const { id, filled, value } of written) Object.assign(byId.get(id)!, { filled, value });
}

/** The required fields that a signer has not filled in. */
export function missingOf(row: EnvelopeRow, signer: SignerRow): FieldRow[] {
  return row.fields.filter(
    (field) =>
      field.signerId === signer.id && field.required && !field.filled && !automaticTypes.has(field.type),
  );
}
