/** Finds existing counterparties that may be the one about to be added. */
import type { Counterparty } from "#lib/counterparties/schema.ts";

const plainName = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s.,]+/g, " ")
    .trim();

/** `https://www.Northwind.example/` becomes `northwind.example`. */
const plainDomain = (domain: string) =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .replace(/^www\./, "")
    .replace(/[/.]+$/, "");

/** Returns those with the same name or the same domain. */
export function findDuplicates(
  all: readonly Counterparty[],
  { name, domain }: { name: string; domain: string },
): Counterparty[] {
  const [wantedName, wantedDomain] = [plainName(name), plainDomain(domain)];
  return all.filter(
    (one) =>
      (wantedName !== "" && plainName(one.name) === wantedName) ||
      (wantedDomain !== "" && one.domain !== null && plainDomain(one.domain) === wantedDomain),
  );
}
