/** The accepted kinds and sizes of files, checked on selection so that nobody uploads a file in vain. */

export interface Accepts {
  kinds: readonly Kind[];
  limitBytes: number;
}

type Kind = keyof typeof kinds;

const kinds = {
  pdf: {
    ending: ".pdf",
    type: "application/pdf",
    name: "PDF",
    isIt: (head: string) => head.startsWith("%PDF-"),
  },
  docx: {
    ending: ".docx",
    type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    name: "Word document (DOCX)",
    isIt: (head: string) => head.startsWith("PK\u0003\u0004"),
  },
  csv: {
    ending: ".csv",
    type: "text/csv",
    name: "CSV",
    isIt: (head: string) => !head.includes("\u0000") && !head.startsWith("%PDF-"),
  },
} as const;

const megabyte = 1024 * 1024;

/** The files accepted as versions of a contract. */
export const documents: Accepts = { kinds: ["pdf", "docx"], limitBytes: 50 * megabyte };
export const templateDocuments: Accepts = { kinds: ["docx"], limitBytes: 10 * megabyte };
export const tables: Accepts = { kinds: ["csv"], limitBytes: 10 * megabyte };
export const sealedDocuments: Accepts = { kinds: ["pdf"], limitBytes: 64 * megabyte };

/** Returns the value of an input's `accept` attribute. */
export const acceptOf = ({ kinds: all }: Accepts): string =>
  all.flatMap((kind) => [kinds[kind].ending, kinds[kind].type]).join(",");

/** The first bytes of Word documents from before 2007, and of newer ones with a password. */
const olderOffice = "\u00d0\u00cf\u0011\u00e0";

/** Returns why a file is not accepted, as a sentence that says what to do, or null if it is accepted. */
export async function whyRejected(file: File, { kinds: taken, limitBytes }: Accepts): Promise<string | null> {
  if (file.size === 0) return "The file is empty. Choose another one.";
  if (file.size > limitBytes) {
    const sizes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
    return `It is ${sizes.format(file.size / megabyte)} MB; the limit is ${limitBytes / megabyte} MB. Choose a smaller file.`;
  }
  let head: string;
  try {
    head = String.fromCharCode(...new Uint8Array(await file.slice(0, 8).arrayBuffer()));
  } catch {
    return "The file cannot be read: it was moved or changed, or it is a folder. Choose it again.";
  }
  const names = taken.map((kind) => kinds[kind].name).join(" or ");
  const kind = taken.find((one) => kinds[one].isIt(head));
  if (!kind && head.startsWith(olderOffice)) {
    return `It is in an older Word format or has a password. Save it as a ${names} without one, and choose that.`;
  }
  if (!kind) return `It is not a ${names}. Save it as one, and choose that.`;
  const ending = /\.(pdf|docx)$/i.exec(file.name)?.[0]?.toLowerCase();
  if (ending && ending !== kinds[kind].ending) {
    return `Its name ends in ${ending}, but it is a ${kinds[kind].name}. Rename it, and choose it again.`;
  }
  return null;
}
