/** The results of the checks, as whole sentences, and where to fix them. */
import type { OutputOf } from "#lib/doors/client.ts";
import type { Place } from "../place.ts";
import type { Envelope } from "../request-actions.ts";

export type Finding = OutputOf<"signatures.check">["errors"][number];

export interface FindingInWords {
  text: string;
  /** Null if it is fixed on the contract's page. */
  place: Place | null;
  action: string;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Puts a finding into words. Its message continues its path: `signers.0.email` + "is also Ana's". */
export function describeFinding(
  { path, message }: Finding,
  { signers }: Pick<Envelope, "signers">,
): FindingInWords {
  const [part, index, field] = path.split(".");
  const name = signers[Number(index)]?.name ?? "A signer";
  const at = (step: Place["step"], what: Place["part"]): Place => ({
    ...{ step, part: what, index: Number(index) },
  });
  if (part === "signers" && index === undefined)
    return { text: "No signers yet.", place: { step: "signers" }, action: "Add signers" };
  if (part === "signers" && field === "email")
    return {
      text: sentence(`${name}'s address ${message}`),
      place: at("signers", "signer"),
      action: "Fix it",
    };
  if (part === "signers")
    return { text: sentence(message), place: at("fields", "signer"), action: "Place one" };
  if (part === "fields")
    return {
      text: sentence(`a field ${message}`),
      place: at("fields", "field"),
      action: "Move or remove it",
    };
  if (part === "pages") return { text: `${message}.`, place: at("fields", "page"), action: "View the page" };
  if (part === "deadline")
    return {
      text: sentence(`the deadline ${message}`),
      place: { step: "signers", part: "deadline" },
      action: "Choose another",
    };
  if (part === "documentVersionId")
    return { text: sentence(`the document ${message}`), place: { step: "document" }, action: "View it" };
  return { text: sentence(`the contract ${message}`), place: null, action: "Open the contract" };
}
