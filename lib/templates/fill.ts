/** Fills a template. The same template and data give the same bytes, at any time. */
import { readFile } from "node:fs/promises";
import PizZip from "pizzip";
import { type Data, openTagged } from "./tagged.ts";

/** Local midnight: a ZIP stores local times, without a zone. */
const fixedDate = new Date(1980, 0, 1);

/** Fills the template in a file, in the sandboxed child process; returns the DOCX in base64. */
export async function fillTemplateFile({ path, data }: { path: string; data: Data }) {
  return { base64: Buffer.from(fillTemplate(await readFile(path), data)).toString("base64") };
}

/** A DOCX with values for its variables and without the sections that are off. Values are text, never markup. */
export function fillTemplate(docx: Uint8Array, data: Data): Uint8Array {
  const filled = openTagged(docx, [], data);
  filled.render();
  const from = filled.getZip() as PizZip;
  const zip = new PizZip();
  const names = Object.keys(from.files).filter((name) => !from.files[name]!.dir);
  for (const name of names.sort(contentTypesFirst)) {
    zip.file(name, contentOf(from.files[name]!), { date: fixedDate, createFolders: false });
  }
  return zip.generate({ type: "uint8array", compression: "DEFLATE", platform: "DOS" });
}

/** Elements that must hold a paragraph: Word does not open a document with an empty header, note or text box. */
const emptied = /<w:(hdr|ftr|footnote|endnote|txbxContent)(\s[^<>]*)?><\/w:\1>/g;

/** A part of the archive, with a paragraph wherever removed sections left nothing. */
function contentOf(part: PizZip.ZipObject): string | Uint8Array {
  const bytes = part.asUint8Array();
  if (!/^word\/[^/]+\.xml$/.test(part.name)) return bytes;
  const xml = part.asText();
  const whole = xml.replace(emptied, "<w:$1$2><w:p/></w:$1>");
  return whole === xml ? bytes : whole;
}

/** In Office's order, for programs that look at an archive's first entry. */
const first = ["[Content_Types].xml", "_rels/.rels"];

function contentTypesFirst(a: string, b: string): number {
  const [rankA, rankB] = [a, b].map((name) => (first.indexOf(name) + 3) % 3);
  return rankA! - rankB! || (a < b ? -1 : 1);
}
