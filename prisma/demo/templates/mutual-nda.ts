import {
  addressed,
  addresses,
  between,
  type DemoTemplate,
  dated,
  effectiveDate,
  governingLaw,
  section,
  them,
  us,
  variable,
} from "./words.ts";

export const mutualNda: DemoTemplate = {
  fileName: "mutual-nda.docx",
  title: "Mutual non-disclosure agreement",
  settings: {
    name: "Mutual NDA",
    description:
      "For talks in which both sides show each other something. Lasts as long as the talks, and some years after.",
    contractType: "NDA",
    ourRole: "COUNTERPARTY",
    titlePattern: "Mutual NDA – {counterparty.name}",
    variables: [
      us,
      them,
      ...addresses,
      effectiveDate,
      variable("purpose", "Purpose of the talks", "textarea", {
        defaultValue: "assessing whether, and on what terms, the parties might do business with each other",
        helpText: "Reads after: “for the purpose of”",
      }),
      variable("term_years", "Years in which information may be exchanged", "number", { defaultValue: "2" }),
      variable("protection_years", "Years of protection after disclosure", "number", { defaultValue: "3" }),
      variable("non_solicitation_months", "Months without solicitation", "number", {
        defaultValue: "12",
        gates: [{ tag: "non_solicitation", whenOn: true }],
      }),
      governingLaw,
    ],
    sections: [
      dated,
      ...addressed,
      section("affiliates", "Group companies may receive information", { defaultOn: true }),
      section("personal_data", "Personal data may be exchanged", {
        helpText: "Adds the duties of two independent controllers. For processing on behalf, use the DPA.",
      }),
      section("residuals", "What stays in memory may be used", {
        helpText: "Only where both sides work in the same field and know it. Legal should agree.",
      }),
      section("non_solicitation", "No solicitation of staff"),
    ],
    obligations: [
      {
        ...{ kind: "CONFIDENTIALITY", title: "Return or destroy the other side's information" },
        ...{ anchorType: "EXPIRATION_DATE", offsetValue: 30, offsetUnit: "DAY", offsetDirection: "AFTER" },
        section: null,
      },
    ],
  },
  text: `
${between("First party", "Second party")}
Each is a **party**. As to information it gives it is the **Discloser**, as to information it gets the **Recipient**.

# Purpose
- The parties intend to exchange information for the purpose of {purpose} (the **Purpose**).
- Neither party is bound by this agreement to disclose anything, to continue talks, or to enter into any further agreement.

# Confidential Information
- **Confidential Information** means all information, in any form, that the Discloser makes available to the Recipient for the Purpose on or after the Effective Date, and that is marked as confidential or would be understood as confidential by a reasonable person in the Recipient's position. It includes the fact that the parties are talking, and the terms discussed.
- Information is not Confidential Information to the extent that the Recipient can show that it:
-- is or becomes public other than by a breach of this agreement;
-- was lawfully known to the Recipient before the Discloser disclosed it;
-- was lawfully received from someone who was free to disclose it; or
-- was developed by the Recipient without use of, or reference to, the Discloser's information.

# Duties of the Recipient
- The Recipient must:
-- use Confidential Information for the Purpose only;
-- keep it secret, with at least the care it takes of its own information of like importance, and never less than reasonable care;
-- not copy it beyond what the Purpose needs; and
-- not reverse engineer, decompile or analyse the composition of any sample, software or device that it receives.
- The Recipient may disclose Confidential Information to those of its directors, employees{#affiliates}, group companies{/affiliates} and professional advisers who need to know it for the Purpose and are bound to confidentiality no less strictly. The Recipient answers for what they do as for what it does itself.
{#affiliates}
- **Group company** of a party means a company that controls the party, is controlled by it, or is under common control with it, where control means holding more than half of the voting rights.
{/affiliates}
- If the Recipient learns of any unauthorised use or disclosure, it must tell the Discloser without undue delay and help to limit the consequences.

# Compelled disclosure
- The Recipient may disclose Confidential Information to the extent that a law, a court or an authority with jurisdiction over it requires. Where lawful, it must first tell the Discloser, consult with it on what is disclosed, and ask for confidential treatment.
- Nothing in this agreement keeps anyone from reporting a breach of law to a competent authority, or from making any other disclosure that the law protects.

# Return and destruction
- Within thirty days after the Discloser asks in writing, and in any case after this agreement ends, the Recipient must return or destroy all Confidential Information and, if asked, confirm in writing that it has.
- The Recipient may keep one copy to the extent that law or a regulator requires it, and copies in routine backups until they are overwritten. This agreement applies to them as long as they are kept.

{#personal_data}
# Personal data
- The parties expect to exchange no more personal data than the contact details of their staff. Where Confidential Information includes other personal data, each party acts as an independent controller and must comply with the data protection law that applies to it.
- The Discloser must not disclose special categories of personal data, nor more personal data than the Purpose needs. Before either party processes personal data on behalf of the other, they will enter into a data processing agreement.
{/personal_data}

{#residuals}
# Residual knowledge
- The Recipient is not in breach of this agreement if its staff use general ideas, concepts and know-how that they keep in unaided memory after proper access to Confidential Information, provided that they did not memorise it in order to use it. This grants no licence under any patent or copyright, and does not allow the source of the information, or the Discloser's business plans, prices or customers, to be disclosed.
{/residuals}

{#non_solicitation}
# Non-solicitation
- For {non_solicitation_months} months after the Effective Date neither party will solicit for employment any employee of the other with whom it came into contact through the Purpose. General advertising that is not aimed at those employees, and hiring those who answer it, is permitted.
{/non_solicitation}

# Ownership and no warranty
- All Confidential Information remains the Discloser's. This agreement grants no licence or other right in it, except to use it for the Purpose.
- Each Discloser warrants that it is entitled to disclose what it discloses. Beyond that, Confidential Information is provided as it is, and no one may rely on its accuracy or completeness unless a further agreement says so.

# Term
- This agreement covers Confidential Information disclosed within {term_years} years from the Effective Date. Either party may end that period earlier by giving the other thirty days' written notice.
- The duties of the Recipient last for {protection_years} years from the disclosure of the information concerned. For as long as information is a trade secret in law, they last for as long as it remains one.

# Remedies
- Damages may not be an adequate remedy for a breach. The Discloser may therefore seek an injunction or specific performance, without having to prove special damage, beside any other remedy it has.
- Nothing in this agreement limits liability for fraud, or any liability that cannot be limited by law.

# General
- This agreement is the whole agreement between the parties on its subject and replaces all earlier ones. It can be changed only in writing signed by both parties.
- Neither party may assign this agreement without the written consent of the other, which must not be unreasonably withheld.
- A failure or delay to exercise a right is not a waiver of it. If a provision is invalid, the others stay in force, and the parties will replace it with a valid one that comes closest to what they meant.
- No one but the parties may enforce this agreement. It may be signed in counterparts and by electronic signature.
- This agreement, and any non-contractual obligation connected with it, is governed by the law of {governing_law}, whose courts have exclusive jurisdiction. Either party may seek interim relief wherever it is needed.

SIGN {organization.name} | {counterparty.name}
`,
};
