/** The ten screens of a signer's page, and who sees which. */
import { whyCannotAct } from "../lifecycle.ts";
import type { EnvelopeRow, SignerRow } from "../rows.ts";
import type { Screen } from "./schema.ts";

/** The part of a visit that decides. */
interface Visited {
  codeVerifiedAt: Date | null;
}

/** Which screen a signer sees. */
export function screenOf(
  row: Pick<EnvelopeRow, "status" | "deadline" | "signers">,
  signer: SignerRow,
  visit: Visited,
  now: Date,
): Screen {
  if (signer.delegatedAt) return "delegated";
  if (row.status === "DECLINED") return "declined";
  if (row.status === "VOIDED") return "voided";
  const obstacle = whyCannotAct(row, signer.id, now);
  if (obstacle === "late") return "expired";
  if (obstacle === "not_your_turn") return "not-your-turn";
  if (isLocked(signer, visit)) return "code";
  if (row.status === "COMPLETED") return "completed";
  if (signer.signedAt) return "done";
  return signer.consentAt ? "sign" : "consent";
}

const withDocument: ReadonlySet<Screen> = new Set(["consent", "sign", "done", "completed"]);

export const showsDocument = (screen: Screen): boolean => withDocument.has(screen);

/** Whether a visit still has to prove access to the signer's e-mail. */
export const isLocked = ({ codeRequired }: Pick<SignerRow, "codeRequired">, visit: Visited): boolean =>
  codeRequired && !visit.codeVerifiedAt;
