/** Which counterparties may be the one that someone is about to add. */
import type { Counterparty } from "#lib/counterparties/schema.ts";

const plainName = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s.,]+/g, " ")
    .trim();

/** `https://www.Northwind.example/` is `northwind.example`. */
const plainDomain = (domain: string) =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .replace(/^www\./, "")
    .replace(/[/.]+$/, "");

/** Those of the same name, or with the same domain. */
export function sameOnes(
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
