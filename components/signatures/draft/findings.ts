/** What the checks found, in whole sentences, and the step where it is mended. */
import type { OutputOf } from "#lib/api/client.ts";
import type { Watched } from "../acts.ts";
import type { Step } from "./steps.tsx";

export type Finding = OutputOf<"signatures.check">["errors"][number];

export interface Told {
  text: string;
  /** Null where it is mended elsewhere. */
  step: Step | null;
  mend: string;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** A message goes on where its path ends: `signers.0.email` + "is also Ana's". */
export function told({ path, message }: Finding, { signers }: Pick<Watched, "signers">): Told {
  const [part, index, field] = path.split(".");
  const name = signers[Number(index)]?.name ?? "A signer";
  if (part === "signers" && index === undefined)
    return { text: "Nobody is asked to sign yet.", step: "signers", mend: "Add signers" };
  if (part === "signers" && field === "email")
    return { text: sentence(`${name}'s address ${message}`), step: "signers", mend: "Mend it" };
  if (part === "signers") return { text: sentence(message), step: "fields", mend: "Place one" };
  if (part === "fields")
    return { text: sentence(`a field ${message}`), step: "fields", mend: "Move or remove it" };
  if (part === "pages") return { text: `${message}.`, step: "fields", mend: "Look at the page" };
  if (part === "deadline")
    return { text: sentence(`the deadline ${message}`), step: "signers", mend: "Choose another" };
  if (part === "documentVersionId")
    return { text: sentence(`the document ${message}`), step: "document", mend: "Look at it" };
  return { text: sentence(`the contract ${message}`), step: null, mend: "" };
}
