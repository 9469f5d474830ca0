import { clsx } from "clsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import { signatureFont } from "./signature-font.ts";

export interface WrittenProps {
  signature: CeremonyState["signature"];
  image: string | null;
  isInitials: boolean;
  className?: string;
}

/** How a signature looks. After a reload, what was drawn or uploaded is known to the server alone. */
export function Written({ signature, image, isInitials, className }: WrittenProps) {
  const text = isInitials ? signature.initialsText : signature.kind === "typed" ? signature.text : null;
  if (text !== null)
    return <span className={clsx(signatureFont.className, "whitespace-nowrap", className)}>{text}</span>;
  if (image !== null && !isInitials) {
    return (
      // biome-ignore lint/performance/noImgElement: it comes from this page, and no server can make it smaller.
      <img src={`data:image/png;base64,${image}`} alt="" className="max-h-full max-w-full object-contain" />
    );
  }
  return <span className="italic">Your {isInitials ? "initials" : "signature"}</span>;
}
