/** DOCX files for tests, generated on the fly. */
import PizZip from "pizzip";

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const package_ = "http://schemas.openxmlformats.org/package/2006";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${office}"`,
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
].join(" ");

export const docxType = main;

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** Returns a WordprocessingML paragraph, optionally in a named font. */
export function paragraph(text: string, { font, bold }: { font?: string; bold?: boolean } = {}): string {
  const fonts = font
    ? `<w:rFonts ${["ascii", "hAnsi", "eastAsia", "cs"].map((of) => `w:${of}="${font}"`).join(" ")}/>`
    : "";
  return `<w:p><w:r><w:rPr>${fonts}${bold ? "<w:b/>" : ""}</w:rPr><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;
}

/** Returns a picture that is linked from another address, and the relationship that holds the address. */
export function linkedPicture(url: string): { body: string; relationships: string } {
  const picture = `<pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="990000" cy="792000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>`;
  return {
    body: `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="990000" cy="792000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">${picture}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>
      <w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> INCLUDEPICTURE "${url}" \\d </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    relationships: `<Relationship Id="rId9" Type="${office}/image" Target="${url}" TargetMode="External"/>`,
  };
}

/** Returns a table with one text per cell. */
export function table(rows: string[][]): string {
  const row = (cells: string[]) =>
    `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`;
  return `<w:tbl>${rows.map(row).join("")}</w:tbl>`;
}

/** Returns a DOCX, either from texts, one paragraph each, or from raw WordprocessingML. */
export function docx(content: string[] | { body: string; relationships?: string }): Buffer {
  const { body, relationships = "" } = Array.isArray(content)
    ? { body: content.map((text) => paragraph(text)).join("") }
    : content;
  const zip = new PizZip();
  zip.file(
    "[Content_Types].xml",
    `${xml}<Types xmlns="${package_}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${main}.main+xml"/></Types>`,
  );
  zip.file(
    "_rels/.rels",
    `${xml}<Relationships xmlns="${package_}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
  );
  zip.file(
    "word/_rels/document.xml.rels",
    `${xml}<Relationships xmlns="${package_}/relationships">${relationships}</Relationships>`,
  );
  zip.file("word/document.xml", `${xml}<w:document ${namespaces}><w:body>${body}</w:body></w:document>`);
  return zip.generate({ type: "nodebuffer", compression: "DEFLATE" });
}
