/** The text of the services agreement, in the format that document.ts parses. */
import { between } from "./words.ts";

export const servicesClauses = `
${between("Supplier", "Customer")}

# Definitions
- In this agreement:
> **Background Materials** means what a party owned before a Statement of Work began or develops independently of it, and improvements to it.
> **Business Day** means a day other than a Saturday, a Sunday or a public holiday at the Supplier's place of business.
> **Charges** means the amounts payable under a Statement of Work.
> **Confidential Information** has the meaning given in the clause headed “Confidentiality”.
> **Deliverables** means the results that a Statement of Work says are to be handed over to the Customer.
> **Intellectual Property Rights** means patents, copyright, rights in software, databases, designs and know-how, trade marks, and all like rights anywhere in the world, registered or not.
> **Services** means the services described in a Statement of Work.
> **Statement of Work** means a document that refers to this agreement, describes Services and Charges, and is signed by both parties.
- Headings do not affect what a clause means. **In writing** includes e-mail, except where this agreement asks for a signature.

# How the agreement works
- This agreement sets the terms for all Services. It obliges neither party to sign any Statement of Work; each one that they do sign is part of this agreement.
- If documents contradict each other, the order is: the clauses of this agreement, then the Statement of Work, then anything it refers to. A Statement of Work prevails where it names the clause that it changes; it does so for itself alone.
- Terms of purchase or sale of either party, on an order form or elsewhere, do not apply.

# Services
- The Supplier will perform the Services:
-- with the skill and care of an experienced supplier of such services;
-- with suitably qualified staff;
-- as the Statement of Work describes, and by the dates it names; and
-- in compliance with the law that applies to the Supplier's business.
- The Supplier may use subcontractors and answers for them as for itself. It remains the Customer's only contact for the Services.
- The Supplier will tell the Customer without undue delay when a date is at risk, and what it does about it.

# What the Customer does
- The Customer will give in time the information, decisions, access and materials that the Services reasonably need, and see to it that the Supplier may lawfully use them for the Services.
- Where the Customer is late, dates move accordingly. If that causes the Supplier costs which it cannot reasonably avoid, and it said so beforehand, the Customer will bear them.

# Acceptance
- Unless the Statement of Work says otherwise, the Customer will accept each Deliverable, or say in writing in what material respect it does not conform, within ten Business Days after it was handed over. A Deliverable is accepted when that period ends without either, or when it is put to productive use.
- The Supplier will put right what does not conform, at its own cost and within a reasonable time, and hand it over again.

# Changes
- Each party may ask for a change of a Statement of Work. Within ten Business Days the Supplier will say what it means for time and Charges. A change takes effect when both parties have signed it; until then the Supplier goes on as agreed.

# Charges and payment
- The Customer will pay the Charges. They are without value added tax and other sales taxes, which the Customer pays in addition where they apply.
- The Supplier invoices as the Statement of Work says, otherwise monthly in arrears. Invoices are payable within {payment_days} days from receipt.
- The Customer may withhold an amount that it disputes in good faith, if it says so in writing, with its reasons, before the invoice is due, and pays the rest.
{#late_payment}
- An amount that is overdue bears interest at {late_rate} percent a year, or at the statutory rate if that is higher, from the due date until it is paid.
{/late_payment}
{#suspension}
- If an undisputed amount is more than thirty days overdue, the Supplier may suspend the Services, after ten Business Days' written notice, until it is paid.
{/suspension}

# Intellectual property
- Each party keeps its Background Materials. What the Customer supplies for the Services may be used for them alone.
- When the Charges for a Deliverable have been paid in full, the Supplier assigns to the Customer all Intellectual Property Rights in it, except in the Supplier's Background Materials and in components of third parties that the Statement of Work names.
- For its Background Materials that are part of a Deliverable, the Supplier grants the Customer a perpetual, worldwide, non-exclusive, transferable licence, without further charge, to use, copy and adapt them as part of that Deliverable.
- The Supplier may use for others the general skills and methods that it gains from the Services, as long as it discloses no Confidential Information.

# Claims of third parties
- The Supplier will defend the Customer against any claim of a third party that a Deliverable, used as agreed, infringes its Intellectual Property Rights, and will bear the damages and costs finally awarded or agreed in a settlement.
- This applies if the Customer tells the Supplier of the claim without undue delay, lets it conduct the defence, and gives it reasonable help at the Supplier's cost. The Supplier will admit nothing on the Customer's behalf without its consent.
- The Supplier may replace or change the Deliverable so that it no longer infringes or obtain a licence for it; where neither is reasonable, it may take the Deliverable back against a refund of its Charges. It is not liable for what the Customer changed, combined or used against this agreement.

# Confidentiality
- **Confidential Information** means all information that a party gets from the other under this agreement and that is marked as confidential or is evidently so. It does not include what is public without a breach, was lawfully known to the recipient before, was lawfully received from someone free to disclose it, or was developed independently.
- Each party will keep the other's Confidential Information secret, use it for this agreement only, and disclose it only to staff, subcontractors and advisers who need it and are bound to secrecy. It may disclose what law, a court or an authority requires, after telling the other where that is lawful.
- These duties last for five years after this agreement ends, and for trade secrets for as long as they remain such.

{#personal_data}
# Personal data
- Before the Supplier processes personal data on behalf of the Customer, the parties will enter into a data processing agreement as the law requires. In matters of that processing it prevails over this agreement, except as to the limits of liability.
{/personal_data}

# Warranties
- Each party warrants that it has the right and the power to enter into this agreement.
- The Supplier warrants that each Deliverable will conform to its description in the Statement of Work in all material respects for ninety days after acceptance. It will put right, without charge, what the Customer reports in that time. If it cannot within a reasonable time, the Customer may have the Charges for that Deliverable reduced or, where it is of no substantial use, refunded.
- All other warranties and conditions that law implies are excluded as far as law permits.

# Liability
- Nothing in this agreement limits or excludes liability for death or personal injury caused by negligence, for fraud or fraudulent misrepresentation, for intent, or for anything else for which it cannot be limited or excluded by law.
- Subject to that, neither party is liable for loss of profit, business, goodwill or anticipated savings, nor for indirect or consequential loss.
{#cap_fees}
- Subject to that, the total liability of each party for all claims that arise in a year of this agreement, in contract, tort (including negligence) or otherwise, is limited to {cap_percent} percent of the Charges paid and payable for that year.
{/cap_fees}
{#cap_fixed}
- Subject to that, the total liability of each party under or in connection with this agreement, in contract, tort (including negligence) or otherwise, is limited to **{cap_amount}**.
{/cap_fixed}
{#cap_two_tier}
- Subject to that, the total liability of each party for all claims that arise in a year of this agreement, in contract, tort (including negligence) or otherwise, is limited to:
-- {supercap_percent} percent of the Charges paid and payable for that year, for breach of the clause headed “Confidentiality” or of a data processing agreement between the parties; and
-- 100 percent of those Charges for everything else.
{/cap_two_tier}
- The limits do not apply to the duty to pay the Charges, nor to the duty to defend and indemnify under the clause headed “Claims of third parties”.

{#insurance}
# Insurance
- During this agreement and for two years after it, the Supplier will hold professional and public liability insurance with a reputable insurer for at least {insured_amount} for each claim, and will show a certificate of it once a year when asked.
{/insurance}

# Term
- This agreement begins on the Effective Date and lasts for {initial_term} months.
{#auto_renewal}
- It then renews for successive periods of {renewal_term} months, unless either party gives the other at least {notice_days} days' written notice before the end of the current period that it shall end.
{/auto_renewal}
{^auto_renewal}
- It then ends, unless the parties agree in writing to extend it.
{/auto_renewal}
- A Statement of Work under way when this agreement ends continues under these terms until it is completed, unless it is terminated.

# Termination
- Either party may terminate this agreement or a Statement of Work by written notice if the other:
-- commits a material breach and does not put it right within thirty days after written notice that describes it; or
-- becomes insolvent, makes an arrangement with its creditors, or ceases to trade, as far as law permits termination for that reason.
- The Customer may terminate a Statement of Work for convenience with sixty days' written notice, against payment of the Charges for the Services performed until then and of costs to which the Supplier was committed and that it cannot avoid.
- On termination each party returns or destroys the other's Confidential Information, the Supplier hands over the Deliverables that are paid for as they stand, and, if asked, helps with a transfer at its usual rates. What by its nature is meant to last beyond the end does so.

{#non_solicitation}
# Non-solicitation
- During this agreement and for {non_solicitation_months} months after it, neither party will solicit for employment any person of the other who works or worked on the Services. Hiring someone who answers a general advertisement is permitted.
{/non_solicitation}

{#publicity}
# Publicity
- The Supplier may name the Customer, with its name and logo, in lists of its customers. Everything more, such as a press release or a case study, needs the Customer's written consent. The Customer may withdraw this permission for the future at any time.
{/publicity}

# Events beyond control
- A party is not liable for a delay or failure caused by events that it could neither foresee nor avoid with reasonable care, as long as it tells the other without undue delay and limits the consequences. If they last more than sixty days, either party may terminate the Statement of Work affected. This does not excuse payment.

# Notices
- Notices are given in writing to the address of the party stated above, or to another one that it has named, and by e-mail to the person who manages this agreement. Notices of termination and of claims are signed.

{#escalation}
# Talking first
- If a dispute is not settled between those who do the daily work within ten Business Days, each party will name a manager with power to decide, and the two will meet within ten further Business Days. Neither party goes to court before that, except for interim relief or to keep a claim from expiring.
{/escalation}

# General
- This agreement, with its Statements of Work, is the whole agreement between the parties on its subject and replaces all earlier ones. It can be changed only in writing signed by both parties.
- Neither party may assign this agreement without the written consent of the other, which must not be unreasonably withheld; either may assign it to whoever takes over the whole of its business.
- The parties are independent. Nothing makes one the agent, partner or employee of the other, and no one but the parties may enforce this agreement.
- A failure or delay to exercise a right is not a waiver of it. If a provision is invalid, the others stay in force, and the parties will replace it with a valid one that comes closest to what they meant.
- This agreement may be signed in counterparts and by electronic signature.

# Law and courts
- This agreement, and any non-contractual obligation connected with it, is governed by the law of {governing_law}. Its courts have exclusive jurisdiction.

SIGN {organization.name} | {counterparty.name}
`;
