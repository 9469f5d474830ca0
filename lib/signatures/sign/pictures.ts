/** Pictures for a signer's page: what will be stamped, before it is. */
import type { Context } from "#lib/core/context.ts";
import { invalid, Refusal } from "#lib/core/errors.ts";
import type { OutlineResult } from "#lib/documents/stamp/outline.ts";
import { getOutline } from "#lib/documents/stamp/outlines.ts";
import { readStored } from "#lib/storage/store.ts";
import { type FieldContent, keyOf, markOf, shownIn } from "../marks.ts";
import type { EnvelopeRow, SignerRow } from "../rows.ts";
import type { Handwriting, PictureOf, Typed } from "./schema.ts";
import { showsDocument } from "./screens.ts";
import { loadScreen } from "./state.ts";
import { refuseUnlessInTurn, turnOfSigner } from "./turn.ts";

/** The picture of a typed signature or typed initials. */
export async function preview(ctx: Context, { text, as }: Typed) {
  await refuseUnlessInTurn(ctx, { consented: true });
  const { missing, ...outline } = await getOutline({ typed: text }, turnOfSigner(ctx));
  return { outline, problem: problemOf(missing, outline.path, as) };
}

/** Throws if the stamped signature would look different from what was typed. */
export async function refuseUnwritable(
  ctx: Context,
  typed: { text: string | null; initialsText: string | null },
): Promise<void> {
  const asked = [
    { path: "text", text: typed.text, as: "signature" },
    { path: "initialsText", text: typed.initialsText, as: "initials" },
  ] as const;
  const issues = [];
  for (const { path, text, as } of asked) {
    if (text === null) continue;
    const { missing, path: shapes } = await getOutline({ typed: text }, turnOfSigner(ctx));
    const message = problemOf(missing, shapes, as);
    if (message) issues.push({ path, message });
  }
  if (issues.length > 0) throw invalid(...issues);
}

const listed = new Intl.ListFormat("en", { type: "conjunction" });
const maxNamed = 5;

function problemOf(missing: string[], shapes: OutlineResult["path"], as: Handwriting): string | null {
  if (missing.length > 0) {
    const letters = listed.format(missing.slice(0, maxNamed));
    const it = missing.length > 1 ? "them" : "it";
    return as === "signature"
      ? `${letters} cannot be written in a signature. Leave ${it} out, draw your signature or upload an image.`
      : `${letters} cannot be written in initials. Leave ${it} out.`;
  }
  return shapes === "" ? "This text cannot be seen. Type something visible." : null;
}

/** The picture of a mark on the signer's page: their own, or one of someone who has signed. */
export async function pictureOf(ctx: Context, { mark, box }: PictureOf) {
  const { row, signer, screen } = await loadScreen(ctx);
  if (!showsDocument(screen)) {
    throw new Refusal("invalid_transition", "The document cannot be shown to you now.");
  }
  const shown = shownTo(row, signer).get(mark);
  if (!shown) throw new Refusal("not_found", "You cannot see this, or no longer can.");
  const text = "text" in shown ? shown.text : null;
  if ("image" in shown) {
    const png = (await readStored(ctx.organizationId, shown.image)).toString("base64");
    return { outline: null, png, text };
  }
  if ("text" in shown && !box) throw invalid({ path: "box", message: "is required" });
  const { missing: _, ...outline } = await getOutline(
    "text" in shown ? { ...shown, ...box! } : shown,
    turnOfSigner(ctx),
  );
  return { outline, png: null, text };
}

type Pictured = Exclude<FieldContent, { checked: boolean }>;

function shownTo(row: EnvelopeRow, viewer: SignerRow): Map<string, Pictured> {
  const found = new Map<string, Pictured>();
  const add = (signer: SignerRow, shown: FieldContent | null) => {
    if (shown && !("checked" in shown)) found.set(keyOf(signer, shown), shown);
  };
  for (const type of ["SIGNATURE", "INITIALS"] as const) add(viewer, markOf(viewer, type));
  const signers = new Map(row.signers.map((signer) => [signer.id, signer]));
  for (const field of row.fields) {
    const signer = signers.get(field.signerId);
    if (signer?.signedAt) add(signer, shownIn(field, signer));
  }
  return found;
}
