/**
 * A request's breadcrumbs, by way of its contract. Requests usually have their contract's title, which is
 * then shown only once.
 */
import type { Crumb } from "#components/ui/page-header.tsx";
import type { Envelope } from "./request-actions.ts";

export function crumbsOf({ subject, contract, contractId }: Envelope): Crumb[] {
  const label = contract.title === subject ? "Contract" : contract.title;
  return [
    { label: "Signatures", href: "/signatures" },
    { label, href: `/contracts/${contractId}` },
  ];
}
