/** The demo's counterparties. Their contacts' e-mail addresses are at the counterparty's domain. */
import type { relationshipTypes } from "#lib/counterparties/schema.ts";

export interface Other {
  name: string;
  /** Without `.example`. */
  domain: string;
  is: (typeof relationshipTypes)[number][];
  notes?: string;
  /** Name and mailbox; the first is the primary contact. */
  contacts: [name: string, mailbox: string][];
}

const customers = {
  calloway: {
    name: "Calloway & Venn Logistics",
    domain: "callowayvenn",
    is: ["CUSTOMER"],
    notes:
      "Largest customer in North America. Legal reviews on a ten-business-day cycle; send redlines to Renata, commercial questions to Darnell. They insist on their own insurance certificate wording.",
    contacts: [
      ["Renata Castellanos", "rcastellanos"],
      ["Darnell Whitfield", "dwhitfield"],
      ["Nguyễn Thị Hương", "hnguyen"],
    ],
  },
  moravia: {
    name: "Moravia Sklady a.s.",
    domain: "moraviasklady",
    is: ["CUSTOMER"],
    notes: "Contracts are bilingual; the Czech text prevails. VAT id and registry extract are on file.",
    contacts: [
      ["Kateřina Dvořáková", "dvorakova"],
      ["Ondřej Blažek", "blazek"],
    ],
  },
  kisetsu: {
    name: "季節フーズ株式会社 (Kisetsu Foods)",
    domain: "kisetsufoods",
    is: ["CUSTOMER"],
    notes: "Signs with a registered seal; allow two weeks for the internal approval circular.",
    contacts: [
      ["佐藤 健一", "k.sato"],
      ["Ayumi Nakagawa", "a.nakagawa"],
    ],
  },
  tallgrass: {
    name: "Tallgrass Regional Health",
    domain: "tallgrasshealth",
    is: ["CUSTOMER"],
    notes:
      "Covered entity. No robot may leave the pharmacy floor before the business associate agreement is in force. Security questionnaire renewed every twelve months.",
    contacts: [
      ["Dr. Miriam Oyelaran", "moyelaran"],
      ["Caleb Lindstrom", "clindstrom"],
    ],
  },
  verhoeven: {
    name: "Verhoeven Bloemen Groothandel B.V.",
    domain: "verhoevenbloemen",
    is: ["CUSTOMER"],
    notes: "Seasonal peak from mid-January to Mother's Day: no changes to the fleet in that time.",
    contacts: [
      ["Marijke Verhoeven", "marijke"],
      ["Bas Oosterhuis", "bas"],
    ],
  },
  sahyadri: {
    name: "Sahyadri Pharma Distributors Pvt. Ltd.",
    domain: "sahyadripharma",
    is: ["CUSTOMER"],
    contacts: [["Anjali Deshpande", "anjali.deshpande"]],
  },
  larkfield: {
    name: "Larkfield Grocers Cooperative",
    domain: "larkfieldcoop",
    is: ["CUSTOMER"],
    notes: "Decisions go to the members' board, which meets on the second Tuesday of each month.",
    contacts: [["Siobhán Gallagher", "siobhan.gallagher"]],
  },
  aldermere: {
    name: "City of Aldermere, Public Works",
    domain: "aldermere",
    is: ["CUSTOMER", "OTHER"],
    notes: "Public body: our proposal and the signed contract are subject to disclosure.",
    contacts: [["Joaquín Etxeberria", "jetxeberria"]],
  },
} satisfies Record<string, Other>;

const vendors = {
  nimbleforge: {
    name: "Nimbleforge Cloud, Inc.",
    domain: "nimbleforge",
    is: ["VENDOR"],
    notes: "Hosts the fleet manager (EU and US regions). Account team changes often; use the shared mailbox.",
    contacts: [
      ["Enterprise Desk", "enterprise"],
      ["Zainab Al-Masri", "zainab.almasri"],
    ],
  },
  quillon: {
    name: "Quillon HR Systems",
    domain: "quillonhr",
    is: ["VENDOR"],
    contacts: [["Patrick O'Dea", "patrick.odea"]],
  },
  zellwerk: {
    name: "Zellwerk Aurich GmbH",
    domain: "zellwerk-aurich",
    is: ["VENDOR"],
    notes: "Sole source for the AT-40 battery pack. Second source is being qualified; target: next spring.",
    contacts: [
      ["Jürgen Harms", "harms"],
      ["Aylin Yıldız", "yildiz"],
    ],
  },
  duero: {
    name: "Óptica Duero S.L.",
    domain: "opticaduero",
    is: ["VENDOR"],
    contacts: [["Íñigo Salvatierra", "isalvatierra"]],
  },
  fjordlinje: {
    name: "Fjordlinje Spedisjon AS",
    domain: "fjordlinjespedisjon",
    is: ["VENDOR"],
    notes: "Ended after repeated late deliveries to Brno. Outstanding credit note settled.",
    contacts: [["Håkon Bjørnstad", "hakon"]],
  },
  nordvei: {
    name: "Nordvei Transport AS",
    domain: "nordveitransport",
    is: ["VENDOR"],
    contacts: [["Solveig Åsen", "solveig.asen"]],
  },
  harrow: {
    name: "Harrow, Pike & Ilesanmi LLP",
    domain: "harrowpike",
    is: ["VENDOR", "OTHER"],
    notes: "Outside counsel for corporate and export control matters.",
    contacts: [["Folake Ilesanmi", "folake.ilesanmi"]],
  },
  redpoll: {
    name: "Redpoll Security Ltd",
    domain: "redpollsecurity",
    is: ["VENDOR"],
    contacts: [["Gethin Llewellyn", "gethin"]],
  },
  castellan: {
    name: "Castellan Risk Brokers",
    domain: "castellanrisk",
    is: ["VENDOR", "OTHER"],
    notes: "Places product liability, cyber and cargo cover. Renewal round starts 90 days before expiry.",
    contacts: [["Beatriz Sampaio", "beatriz.sampaio"]],
  },
} satisfies Record<string, Other>;

const partners = {
  lindau: {
    name: "Lindau Institute for Applied Robotics",
    domain: "lindau-robotics",
    is: ["PARTNER"],
    notes: "Foreground IP is shared; publications need thirty days' notice to us.",
    contacts: [
      ["Prof. Dr. Annegret Vollmer", "vollmer"],
      ["Emre Koçak", "kocak"],
    ],
  },
  aster: {
    name: "Aster Vision Labs",
    domain: "astervision",
    is: ["PARTNER", "VENDOR"],
    contacts: [["Noa Ben-Ami", "noa"]],
  },
  selat: {
    name: "Selat Automation Pte. Ltd.",
    domain: "selatautomation",
    is: ["RESELLER", "PARTNER"],
    notes: "Singapore, Malaysia and Indonesia. Non-exclusive since the last renewal.",
    contacts: [
      ["陈伟强 (Tan Wei Qiang)", "weiqiang.tan"],
      ["Nur Aisyah binti Rahman", "aisyah"],
    ],
  },
  andes: {
    name: "Andes Robótica SpA",
    domain: "andesrobotica",
    is: ["RESELLER"],
    contacts: [["Ximena Huenchumilla", "ximena"]],
  },
  ternhill: {
    name: "Ternhill Growth Partners",
    domain: "ternhillgrowth",
    is: ["INVESTOR"],
    notes: "Lead investor of the last round; one board seat and information rights.",
    contacts: [["Catherine Beaumont-Osei", "cbeaumont"]],
  },
  kvaloy: {
    name: "Kvaløy Eiendom AS",
    domain: "kvaloyeiendom",
    is: ["LANDLORD"],
    notes: "Headquarters and assembly hall. Rent is indexed to consumer prices every January.",
    contacts: [["Torbjørn Kvaløy", "torbjorn"]],
  },
  millrace: {
    name: "Millrace Yards Ltd",
    domain: "millraceyards",
    is: ["LANDLORD"],
    contacts: [["Imogen Thackeray", "imogen.thackeray"]],
  },
} satisfies Record<string, Other>;

const people = {
  farahani: {
    name: "Leila Farahani",
    domain: "farahani",
    is: ["EMPLOYEE"],
    contacts: [["Leila Farahani", "leila"]],
  },
  bakare: {
    name: "Oluwaseun Bakare",
    domain: "bakare",
    is: ["EMPLOYEE"],
    contacts: [["Oluwaseun Bakare", "seun"]],
  },
  chou: {
    name: "周美玲 (Mei-Ling Chou)",
    domain: "meilingchou",
    is: ["EMPLOYEE"],
    contacts: [["周美玲", "hello"]],
  },
  carvalho: {
    name: "Mateus Carvalho Firmware",
    domain: "carvalhofirmware",
    is: ["CONTRACTOR"],
    contacts: [["Mateus Carvalho", "mateus"]],
  },
  novotna: {
    name: "Hana Novotná Industrial Design",
    domain: "hananovotna",
    is: ["CONTRACTOR"],
    contacts: [["Hana Novotná", "studio"]],
  },
} satisfies Record<string, Other>;

export const counterparties = { ...customers, ...vendors, ...partners, ...people };

export type Party = keyof typeof counterparties;
