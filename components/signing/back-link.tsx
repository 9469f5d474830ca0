"use client";
/** The link back to the workspace, for a signer who is signed in there. */
import { ArrowLeft } from "lucide-react";
import { createContext, useContext } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";

/** The workspace that the reader is signed in to; null for readers without an account. */
export const MemberWorkspaceContext = createContext<string | null>(null);

export function BackLink({ state }: { state: CeremonyState | null }) {
  const organizationId = useContext(MemberWorkspaceContext);
  if (organizationId === null) return null;
  const request = state?.workspace?.organizationId === organizationId ? state.workspace.envelopeId : null;
  const label = request ? "Back to the request" : "Back to the workspace";
  return (
    <ButtonLink variant="quiet" href={request ? `/signatures/${request}` : "/home"} aria-label={label}>
      <ArrowLeft aria-hidden />
      <span className="max-sm:hidden">{label}</span>
    </ButtonLink>
  );
}
