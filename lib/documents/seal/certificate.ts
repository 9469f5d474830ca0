/** The pages at the end of a signed document that show who signed it, when, from where, and how to verify it. */
import { PageSizes, type PDFDocument } from "#lib/documents/pdf/pdf-lib.ts";
import { type Images, imageContent, type Mark } from "#lib/documents/stamp/stamp.ts";
import type { Typesetter } from "#lib/documents/typeset/fonts.ts";
import { type Fact, Sheet } from "#lib/documents/typeset/sheet.ts";
import { textIn } from "#lib/documents/typeset/text-box.ts";
import type { Evidence, EvidenceEvent, EvidenceSigner } from "./evidence.ts";
import type { CertificateSummary } from "./signing-key.ts";

interface CertificateContext {
  type: Typesetter;
  images: Images;
  /** The signature of each signer, by signer id. */
  signatures: Map<string, Mark>;
  /** Where anyone can verify the document; null if unknown. */
  verifyUrl: string | null;
  sealedWith: Pick<CertificateSummary, "name" | "fingerprint">;
}

/** Appends the pages and returns their number. */
export async function addCertificate(
  pdf: PDFDocument,
  evidence: Evidence,
  means: CertificateContext,
): Promise<number> {
  const documentPages = pdf.getPageCount();
  const sheet = new Sheet(pdf, means.type, sizeLike(pdf));
  title(sheet, evidence, documentPages);
  fingerprints(sheet, evidence);
  sheet.heading(evidence.signers.length === 1 ? "Signer" : "Signers");
  for (const signer of evidence.signers) await signerCard(sheet, signer, means);
  events(sheet, evidence);
  checks(sheet, evidence, means);
  return sheet.finish(
    `${evidence.envelope.id} · ${evidence.envelope.title}`,
    (page, of) => `Certificate page ${page} of ${of}`,
  );
}

/** US Letter if the first page is US Letter, else A4. */
function sizeLike(pdf: PDFDocument): [number, number] {
  const { width, height } = pdf.getPage(0).getSize();
  const isLetter = Math.round(Math.min(width, height)) === 612 && Math.round(Math.max(width, height)) === 792;
  return isLetter ? PageSizes.Letter : PageSizes.A4;
}

function title(sheet: Sheet, { organization, envelope, document }: Evidence, documentPages: number): void {
  sheet.line("Certificate of completion", 0, sheet.y, { size: 20, style: "bold" });
  sheet.skip(31);
  sheet.paragraph(
    "These pages record who signed this document, when and how. One seal covers the document and these pages.",
    { size: 9, color: "muted" },
  );
  sheet.skip(8);
  sheet.rule();
  sheet.skip(8);
  sheet.facts([
    ["Document", envelope.title],
    ["File", `${document.fileName} (${counted(documentPages, "page")})`],
    ["Signature request", envelope.id],
    ["Workspace", `${organization.name} (${organization.id})`],
    [
      "Sent",
      envelope.sentAt && [utc(envelope.sentAt), formatPerson(envelope.sentBy)].filter(Boolean).join(", by "),
    ],
    ["Last signature", utc(envelope.completedAt)],
  ]);
}

function fingerprints(sheet: Sheet, { document }: Evidence): void {
  const sameFile = document.sha256 === document.pdfSha256;
  sheet.heading("Fingerprints (SHA-256)");
  sheet.facts([
    [sameFile ? "Original, as shown" : "Original file", document.sha256],
    ["PDF shown to signers", sameFile ? null : document.pdfSha256],
    ["Filled in, before sealing", document.stampedSha256],
  ]);
}

const parties: Record<EvidenceSigner["party"], string> = {
  ORG_USER: "Member of the workspace",
  COUNTERPARTY_CONTACT: "Contact of the counterparty",
  EXTERNAL: "Other signer",
};

const proofs: Record<EvidenceSigner["verifiedBy"], string> = {
  EMAIL_LINK: "Personal link sent to the e-mail address",
  EMAIL_CODE: "Personal link and one-time code sent to the e-mail address",
  SENDER: "Personal link that the sender could hand over",
  SESSION: "Signed in to the workspace",
};

const picture = { width: 150, height: 52 };

async function signerCard(sheet: Sheet, signer: EvidenceSigner, means: CertificateContext): Promise<void> {
  const width = sheet.width - picture.width - 20;
  const facts = signerFacts(signer);
  const columns = { width, nameWidth: 92 };
  sheet.ensureRoom(50 + sheet.factsHeight(facts, columns));
  const top = sheet.y;
  const { page } = sheet;
  sheet.paragraph(signer.name, { size: 10.5, style: "bold" }, { width });
  sheet.paragraph(`${signer.email} · ${parties[signer.party]}`, { size: 8.5, color: "muted" }, { width });
  sheet.skip(5);
  sheet.facts(facts, columns);
  const mark = means.signatures.get(signer.id);
  // If a card continues on the next page, its picture is on the page where it began.
  const end = page === sheet.page ? sheet.y : null;
  if (mark && end !== null) await signature(sheet, mark, top, means);
  if (end !== null) sheet.y = Math.min(end, top - picture.height - 8);
  sheet.skip(7);
  sheet.rule();
  sheet.skip(9);
}

function signerFacts(signer: EvidenceSigner): Fact[] {
  const isSigned = signer.signedAt !== null;
  return [
    ["Opened", signer.viewedAt && utc(signer.viewedAt)],
    ["Agreed to sign", signer.consentAt && utc(signer.consentAt)],
    ["SHA-256 of the consent", signer.consentSha256],
    ["Signed", signer.signedAt && utc(signer.signedAt)],
    ["Signed as", signer.signedName],
    ["Identified by", isSigned ? proofs[signer.verifiedBy] : null],
    ["IP address", signer.ipAddress],
    ["Browser", signer.userAgent],
    ["Delegated to", formatPerson(signer.delegatedTo)],
    ["Delegated by", formatPerson(signer.delegatedFrom)],
    ["Status", isSigned ? null : sentence(signer.status)],
  ];
}

async function signature(
  sheet: Sheet,
  mark: Mark,
  top: number,
  { type, images }: CertificateContext,
): Promise<void> {
  const frame = {
    x: sheet.left(sheet.width - picture.width),
    y: top - picture.height,
    width: picture.width,
    height: picture.height,
  };
  sheet.draw(
    `0.82 0.84 0.88 RG 0.5 w ${frame.x} ${frame.y} ${frame.width} ${frame.height} re S\n0.05 0.1 0.35 rg`,
  );
  const inner = { x: frame.x + 8, y: frame.y + 6, width: frame.width - 16, height: frame.height - 12 };
  const { page } = sheet;
  if ("png" in mark) sheet.draw(await imageContent({ page, images }, mark.png, inner));
  else if ("typed" in mark)
    sheet.draw(textIn(type, page, mark.typed, inner, { size: 26, style: "hand", lines: 1 }));
}

const eventLabels: Record<string, string> = {
  SENT: "Sent for signature",
  NOTIFIED: "Invitation sent",
  REMINDED: "Reminder sent",
  DELIVERY_FAILED: "E-mail not delivered",
  LINK_COPIED: "Signing link copied",
  SESSION_VERIFIED: "Signed in to the workspace",
  VIEWED: "Document opened",
  CODE_SENT: "Code sent",
  CODE_VERIFIED: "Code entered correctly",
  CODE_FAILED: "Wrong code entered",
  CONSENTED: "Agreed to sign electronically",
};

function events(sheet: Sheet, { events: all, signers }: Evidence): void {
  sheet.heading("What happened");
  const names = new Map(signers.map(({ id, name }) => [id, name]));
  sheet.table(
    [
      { title: "Time (UTC)", share: 0.22 },
      { title: "Event", share: 0.28 },
      { title: "By", share: 0.32 },
      { title: "IP address", share: 0.18 },
    ],
    all.map((event) => [
      utc(event.at).replace(" UTC", ""),
      eventText(event, names),
      formatPerson(event.actor) ?? sentence(event.actor.kind),
      event.ipAddress ?? "–",
    ]),
  );
  const last = all.at(-1);
  if (!last) return;
  sheet.skip(6);
  sheet.paragraph(
    `Each event carries the hash of the one before it. The last hash covers all ${all.length}: ${last.hash}`,
    { size: 7.5, color: "muted" },
  );
}

function eventText({ type, signerId, actor, details }: EvidenceEvent, names: Map<string, string>): string {
  // Copied links used to be recorded as notifications.
  const kind = type === "NOTIFIED" && details?.copiedLink ? "LINK_COPIED" : type;
  const text = eventLabels[kind] ?? sentence(kind);
  const concerned = signerId && actor.id !== signerId ? names.get(signerId) : undefined;
  return concerned ? `${text}: ${concerned}` : text;
}

function checks(sheet: Sheet, { checkpoint }: Evidence, { verifyUrl, sealedWith }: CertificateContext): void {
  sheet.heading("How to check this document");
  const where = verifyUrl ? ` Or drop the file on ${verifyUrl}, which shows each check and its result.` : "";
  sheet.paragraph(
    `The document is sealed with a PAdES signature (ETSI.CAdES.detached) by the workspace's certificate. PDF readers show it in their signature panel; any change to any byte breaks it.${where} The attachment countersign-evidence.json contains what these pages say in machine-readable form.`,
    { size: 8.5 },
  );
  sheet.skip(6);
  sheet.facts([
    ["Sealed with", sealedWith.name],
    ["Its fingerprint (SHA-256)", sealedWith.fingerprint],
  ]);
  sheet.paragraph(
    `Anyone can create a certificate in any name. Compare its fingerprint, as your PDF reader${verifyUrl ? " or the address above" : ""} shows it, with the one that the workspace publishes.`,
    { size: 7.5, color: "muted" },
  );
  if (!checkpoint) return;
  sheet.skip(6);
  sheet.facts([
    ["Audit log checkpoint", `Event ${checkpoint.seq} of the workspace, ${utc(checkpoint.at)}`],
    ["Its hash", checkpoint.hash],
  ]);
}

const utc = (time: string) => `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** PARTIALLY_SIGNED as people write it. */
const sentence = (code: string) =>
  `${code.slice(0, 1).toUpperCase()}${code.slice(1).toLowerCase().replaceAll("_", " ")}`;

function formatPerson(person: { name: string | null; email: string | null } | null): string | null {
  if (!person?.name) return person?.email ?? null;
  return person.email ? `${person.name} <${person.email}>` : person.name;
}
