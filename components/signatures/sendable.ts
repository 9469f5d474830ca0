/** Whether a contract can be sent for signature, and why not. */
import { inWords } from "#components/words.ts";
import { type ContractStatus, contractLifecycle } from "#lib/contracts/lifecycle.ts";
import { canMove } from "#lib/core/lifecycle.ts";

/** Returns why a contract cannot be sent, or null if it can. `documents` is their number, if known. */
export function unsendable(status: ContractStatus, documents: number | undefined): string | null {
  if (status === "OUT_FOR_SIGNATURE")
    return "It is already out for signature. Void that request first to send another.";
  if (!canMove(contractLifecycle, status, "OUT_FOR_SIGNATURE", "system")) {
    const way = status === "CANCELLED" ? " Move it back to draft first." : "";
    return `A contract that is ${inWords(status).toLowerCase()} cannot be sent for signature.${way}`;
  }
  if (documents === 0) return "There is no document to sign yet. Add a PDF or a DOCX to the contract first.";
  return null;
}
