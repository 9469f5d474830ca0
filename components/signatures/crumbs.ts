/** The way to a request: by its contract, whose title is mostly the request's own, and then stands once. */
import type { Crumb } from "#components/ui/page-header.tsx";
import type { Watched } from "./request-actions.ts";

export function crumbsOf({ subject, contract, contractId }: Watched): Crumb[] {
  const label = contract.title === subject ? "Contract" : contract.title;
  return [
    { label: "Signatures", href: "/signatures" },
    { label, href: `/contracts/${contractId}` },
  ];
}
