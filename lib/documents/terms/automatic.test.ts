/** What renews by itself, and what only seems to. */
import { expect, test } from "@playwright/test";
import { renewsAutomatically } from "./automatic.ts";
import { readTerms } from "./terms.ts";

test("a renewal that happens unless a party objects is automatic, whatever else the clause allows", () => {
  for (const text of [
    "This Agreement shall automatically renew for successive one (1) year periods unless either party gives at least ninety (90) days notice of its intention not to renew.",
    "This Agreement shall renew for one (1) year unless either party notifies the other that it shall not be renewed automatically.",
    "If either party gives such notice, this Agreement shall not automatically renew.",
    "Unless the parties mutually agree otherwise in writing, this Agreement shall be extended for one (1) year.",
    "This Agreement shall automatically renew for terms of one (1) year until terminated by mutual written agreement of the parties.",
    "This Agreement shall be renewed for one (1) year terms, and may be extended further by mutual written agreement.",
    "This Agreement shall without further notice automatically renew for one (1) year at the end of the term.",
    "This Agreement shall be renewed automatically for one (1) year only if no party objects.",
    "The term shall automatically be extended for one (1) year or such other period as the parties agree in writing.",
    "If neither party objects, this Agreement shall be renewed for one (1) year.",
  ]) {
    expect(renewsAutomatically(text), text).toBe(true);
  }
});

test("a renewal that is denied, or needs an agreement or a request, is not automatic", () => {
  for (const text of [
    "This Agreement shall not renew automatically; it may be extended for one (1) year only by written agreement.",
    "This Agreement shall be renewed for an additional one (1) year term only upon the mutual written agreement of the parties.",
    "This Agreement does not automatically renew, but may be extended for one (1) year by mutual consent.",
    "There shall be no automatic renewal of this Agreement for a further one (1) year term.",
    "In no event shall this Agreement be renewed automatically for one (1) year.",
    "Upon the mutual written consent of the parties, this Agreement shall be extended for an additional term of one (1) year.",
    "If both parties so agree in writing, this Agreement shall be renewed for one (1) year.",
    "This Agreement will be renewed for one (1) year subject to the prior written approval of Customer.",
    "The term shall be extended for one (1) year at Customer's option.",
    "This Agreement shall be renewed for one (1) year upon the written request of Licensee.",
    "This Agreement shall be renewed for one (1) year only if the parties sign an amendment.",
    "Thereafter this Agreement can be renewed by mutual written agreement of the parties for successive one (1) year periods.",
    "This Agreement will never renew automatically for one (1) year.",
  ]) {
    expect(renewsAutomatically(text), text).toBe(false);
    const { renewal } = readTerms({ pages: [`SERVICES AGREEMENT\n${text}`] });
    expect(renewal?.isAutomatic ?? false, text).toBe(false);
  }
});
