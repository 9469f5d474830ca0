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

export const dataProcessing: DemoTemplate = {
  fileName: "data-processing-agreement.docx",
  title: "Data processing agreement",
  settings: {
    name: "Data processing agreement (GDPR)",
    description:
      "Article 28 of the GDPR: we process personal data on behalf of a customer. With its three annexes.",
    contractType: "DPA",
    ourRole: "VENDOR",
    titlePattern: "Data processing agreement – {counterparty.name}",
    variables: [
      us,
      them,
      ...addresses,
      effectiveDate,
      variable("main_agreement", "The agreement this belongs to", "text", {
        defaultValue: "the agreement between the parties on the Supplier's services",
      }),
      variable("subject", "Subject and purpose of the processing", "textarea", {
        defaultValue: "Hosting, support and maintenance of the services that the Controller uses.",
      }),
      variable("data_subjects", "Whose data it is", "textarea", {
        defaultValue:
          "Employees and other staff of the Controller\nContacts at the Controller's customers and suppliers",
      }),
      variable("data_categories", "What data it is", "textarea", {
        defaultValue:
          "Names and business contact details\nUser accounts, roles and log data\nContents that users enter or upload",
      }),
      variable("special_categories", "Special categories, and how they are guarded", "textarea", {
        helpText: "Article 9: health, beliefs, origin and the like",
        gates: [{ tag: "special_data", whenOn: true }],
      }),
      variable("breach_hours", "Hours in which a breach is reported", "number", { defaultValue: "48" }),
      variable("objection_days", "Days to object to a new sub-processor", "number", {
        defaultValue: "30",
        gates: [{ tag: "general_authorisation", whenOn: true }],
      }),
      variable("sub_processors", "Sub-processors: name, place, task", "textarea", {
        defaultValue: "None at the Effective Date.",
      }),
      variable("deletion_days", "Days until data is deleted", "number", { defaultValue: "30" }),
      variable("privacy_contact", "Our contact for data protection", "text", { binding: "owner.email" }),
      variable("controller_contact", "Their contact for data protection", "text", {
        binding: "contact.email",
        defaultValue: "as named by the Controller in writing",
      }),
      governingLaw,
    ],
    sections: [
      dated,
      ...addressed,
      section("general_authorisation", "Sub-processors by general authorisation", {
        ...{ groupId: "sub_processing", helpText: "We announce new ones; the customer may object" },
      }),
      section("specific_authorisation", "Each sub-processor needs consent", { groupId: "sub_processing" }),
      section("special_data", "Special categories of data (Article 9)"),
      section("transfers", "Transfers outside the EEA", {
        helpText: "Adds the standard contractual clauses of the European Commission",
      }),
      section("uk", "The UK GDPR applies too", {
        control: "rule",
        rule: { variable: "governing_law", op: "equals", value: "England and Wales" },
        repCanOverrideRule: true,
      }),
      section("audit_on_site", "Inspections on our premises", { defaultOn: true }),
    ],
    sectionGroups: [
      {
        ...{ id: "sub_processing", label: "Sub-processors", required: true },
        ...{ helpText: "How the customer agrees to them", defaultTag: "general_authorisation" },
      },
    ],
    obligations: [
      {
        ...{ kind: "AUDIT", title: "Review the list of sub-processors", anchorType: "EFFECTIVE_DATE" },
        ...{
          offsetValue: 12,
          offsetUnit: "MONTH",
          offsetDirection: "AFTER",
          recurrenceMonths: 12,
          section: null,
        },
      },
      {
        ...{
          kind: "DATA_RETENTION",
          title: "Return or delete the personal data",
          anchorType: "EXPIRATION_DATE",
        },
        ...{ offsetValue: 30, offsetUnit: "DAY", offsetDirection: "AFTER", section: null },
      },
    ],
  },
  text: `
${between("Processor", "Controller")}
It is part of {main_agreement} (the **Main Agreement**) and sets out what Article 28(3) of Regulation (EU) 2016/679 (**GDPR**) requires. Words that the GDPR defines mean the same here.

# Subject, duration and roles
- The Processor processes personal data on behalf of the Controller in order to perform the Main Agreement. Annex 1 describes the subject matter, the nature and purpose of the processing, the type of personal data and the categories of data subjects (the **Data**).
- This agreement lasts as long as the Processor holds Data, even if the Main Agreement ends earlier.
- The Controller answers for the lawfulness of the processing and for the rights of data subjects. Each party complies with the data protection law that applies to it.
{#uk}
- Where the processing is subject to the law of the United Kingdom, **GDPR** includes the UK GDPR and the Data Protection Act 2018, and references to the Union, its Member States and its supervisory authorities include the United Kingdom and the Information Commissioner.
{/uk}

# Instructions
- The Processor processes the Data only on documented instructions of the Controller, including as to transfers to a third country, unless law of the Union or a Member State to which it is subject requires otherwise. It then tells the Controller of that requirement before processing, unless that law forbids it.
- The Main Agreement, this agreement and the Controller's settings in the services are its instructions. Further ones are given in writing; where they go beyond what the Main Agreement covers, the parties agree on the cost.
- The Processor tells the Controller immediately if it believes that an instruction infringes data protection law. It may suspend that instruction until the Controller confirms or changes it.

# Confidentiality
- The Processor ensures that everyone whom it authorises to process the Data has committed to confidentiality or is under a statutory duty of it, and processes the Data only as instructed. The duty continues after their work ends.

# Security
- The Processor takes the measures that Article 32 GDPR requires, at least those of Annex 2. It may change them as technology moves on, but never to a lower level of protection.
{#special_data}
- The Data include special categories of personal data within the meaning of Article 9 GDPR, as Annex 1 states. The Processor applies the additional safeguards stated there.
{/special_data}

# Sub-processors
{#general_authorisation}
- The Controller gives the Processor general written authorisation to engage other processors. Those in Annex 3 are engaged at the Effective Date. The Processor tells the Controller in writing of any intended addition or replacement at least {objection_days} days before, so that the Controller can object on reasonable grounds of data protection. If the parties find no solution within that time, the Controller may terminate the services affected, and gets back what it paid for the time after.
{/general_authorisation}
{#specific_authorisation}
- The Processor engages another processor only with the prior specific written consent of the Controller. The Controller consents to those in Annex 3. The Processor asks for further consent at least thirty days before, with what the Controller needs in order to decide; silence is not consent.
{/specific_authorisation}
- The Processor imposes on each sub-processor, by written contract, the same duties of data protection as in this agreement, and gives the Controller a copy on request, in which business secrets may be redacted. It remains fully liable to the Controller for what its sub-processors do.

# Transfers to third countries
{#transfers}
- The Processor transfers Data to a third country only on documented instructions and only if Chapter V GDPR is complied with. Where no adequacy decision covers a transfer, the standard contractual clauses of Commission Implementing Decision (EU) 2021/914 apply, in the module that fits the roles of those concerned; Annexes 1 to 3 complete them, the option of the clause on sub-processors corresponds to this agreement, and the optional docking clause applies. The Processor assesses the law of the country of destination and supplements the clauses where that is needed.
{/transfers}
{^transfers}
- The Processor processes the Data within the European Economic Area, and within countries for which an adequacy decision is in force, only. Any other transfer, including access from elsewhere, needs the Controller's prior written instruction and compliance with Chapter V GDPR.
{/transfers}

# Assistance
- Taking into account the nature of the processing, the Processor assists the Controller by appropriate technical and organisational measures in answering requests of data subjects under Chapter III GDPR. A request that reaches the Processor is passed on without undue delay and not answered by it.
- The Processor assists the Controller in complying with Articles 32 to 36 GDPR: security, notification of breaches, data protection impact assessment and prior consultation, taking into account the nature of the processing and the information available to it.

# Personal data breaches
- The Processor notifies the Controller without undue delay, and at the latest {breach_hours} hours after it became aware of it, of any breach of security that leads to the accidental or unlawful destruction, loss, alteration, unauthorised disclosure of, or access to, Data.
- The notification says, as far as known, what happened, which Data and how many data subjects are concerned, what consequences are likely and what has been done; what is not yet known follows. The Processor acts at once to contain the breach and documents it. It informs authorities and data subjects only on the Controller's instruction or where law requires.

# Evidence and audits
- The Processor makes available to the Controller all information necessary to demonstrate compliance with Article 28 GDPR, and allows for and contributes to audits by the Controller or an auditor mandated by it. Current certificates and reports of independent auditors are provided first and, where they answer the question, suffice.
{#audit_on_site}
- Inspections on the Processor's premises take place during business hours, with thirty days' notice, not more than once a year, and without disturbing its business or other customers' confidentiality. None of these limits applies after a personal data breach or where a supervisory authority requires an inspection.
{/audit_on_site}
- Each party bears its own costs, unless an audit finds a material breach, in which case the Processor bears both.

# Deletion and return
- At the choice of the Controller, the Processor deletes or returns all Data within {deletion_days} days after the end of the services, and deletes existing copies, unless law of the Union or a Member State requires it to store them. Without a choice it deletes them. It confirms the deletion in writing when asked. Copies in backups are overwritten in their usual cycle and are processed for no other purpose until then.

# Liability and general
- Article 82 GDPR applies to claims of data subjects. Between the parties, the limits of liability of the Main Agreement apply, as far as law permits.
- If this agreement and the Main Agreement contradict each other in matters of data protection, this agreement prevails; where standard contractual clauses apply, they prevail over both.
- Changes must be in writing, which includes electronic form. If a provision is invalid, the others stay in force.
- This agreement is governed by the law of {governing_law}, whose courts have jurisdiction, unless mandatory data protection law provides otherwise.

SIGN {organization.name} | {counterparty.name}

## Annex 1 – Description of the processing
| Subject and purpose | {subject} |
| Nature of the processing | Collecting, storing, structuring, retrieving, transmitting and deleting by means of information technology |
| Data subjects | {data_subjects} |
| Categories of data | {data_categories} |
| Special categories | {#special_data}{special_categories}{/special_data}{^special_data}None. The Controller does not supply any.{/special_data} |
| Duration | The term of the Main Agreement, and until deletion as agreed |
| Contact at the Processor | {privacy_contact} |
| Contact at the Controller | {controller_contact} |

## Annex 2 – Technical and organisational measures
== Access
> **Premises.** Offices and data centres are locked; access is personal, recorded and withdrawn when someone leaves. Data centres are certified to ISO/IEC 27001 or an equivalent standard.
> **Systems.** Personal accounts, strong authentication with a second factor for administrators, automatic locking, and patches applied according to their urgency.
> **Data.** Rights by role and need, reviewed at least twice a year. Administrative access is logged.
== Separation and transfer
> **Tenants.** Data of different customers is logically separated, and production is separated from testing.
> **Encryption.** Data is encrypted in transit over public networks and at rest on storage media, with keys under managed control.
> **Pseudonymisation.** Data is pseudonymised or left out where the purpose allows it.
== Integrity and availability
> **Traceability.** Changes to records are logged with time and author.
> **Backups.** Daily, encrypted, kept apart from the production systems; restoration is tested at least once a year.
> **Resilience.** Monitoring around the clock, redundant components, and a written plan for incidents and for recovery.
== Review
> **Organisation.** A data protection officer or another responsible person is named; staff are trained when they join and every year.
> **Testing.** Measures are reviewed at least once a year, with penetration tests by independent experts.
> **Suppliers.** Sub-processors are chosen with care, bound by contract and reviewed.

## Annex 3 – Sub-processors
| Engaged at the Effective Date | {sub_processors} |
| Changes | As the clause headed “Sub-processors” says |
`,
};
