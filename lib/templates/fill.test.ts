import { expect, test } from "@playwright/test";
import {
  Document,
  Footer,
  FootnoteReferenceRun,
  Header,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from "docx";
import fc from "fast-check";
import PizZip from "pizzip";
import { fillTemplate } from "./fill.ts";
import { inspectTemplate } from "./inspect.ts";
import { unwrapAnchors } from "./tagged.ts";
import { printable } from "./values.ts";

/** A DOCX with one paragraph per text; a list of texts becomes one run each. */
async function docx(...paragraphs: (string | string[] | Table)[]): Promise<Uint8Array> {
  const numbered = { reference: "clauses", level: 0 };
  const children = paragraphs.map((one) => {
    if (one instanceof Table) return one;
    const runs = [one].flat().map((text) => new TextRun({ text, bold: text.length % 2 === 0 }));
    return new Paragraph({ children: runs, numbering: numbered });
  });
  const levels = [{ level: 0, format: LevelFormat.DECIMAL, text: "%1." }];
  const numbering = { config: [{ reference: "clauses", levels }] };
  return Packer.toBuffer(new Document({ numbering, sections: [{ children }] }));
}

const xmlOf = (bytes: Uint8Array, name = "word/document.xml") => new PizZip(bytes).file(name)!.asText();

/** The text of each paragraph, with \n for line breaks. */
function linesOf(bytes: Uint8Array, name?: string): string[] {
  return [...xmlOf(bytes, name).matchAll(/<w:p[ >].*?<\/w:p>|<w:p\/>/gs)].map(([paragraph]) =>
    paragraph
      .replace(/<w:br\/>/g, "\n")
      .replace(/<[^>]+>/g, "")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&quot;/g, '"')
      .replace(/&apos;/g, "'")
      .replace(/&amp;/g, "&"),
  );
}

const problems = async (...paragraphs: (string | string[])[]) =>
  inspectTemplate(await docx(...paragraphs)).problems;

test("{__proto__} is refused as a tag, while names such as {constructor} and {toString} work", async () => {
  expect(await problems("{__proto__}")).toEqual([
    expect.stringContaining("{__proto__} cannot be a tag's name"),
  ]);
  expect(await problems("{#__proto__}", "x", "{/__proto__}")).toHaveLength(1);
  const bytes = await docx("{constructor} {toString} {hasOwnProperty} {prototype}");
  const { variables } = inspectTemplate(bytes).found!;
  expect(variables).toHaveLength(4);
  const values = Object.fromEntries(variables.map(({ key }) => [key, `the ${key}`]));
  const filled = fillTemplate(bytes, { values, sections: {} });
  expect(linesOf(filled)[0]).toBe("the constructor the toString the hasOwnProperty the prototype");
});

test("tag names may be in any script, including its combining marks", async () => {
  const names = ["ชื่อ", "पक्ष_का_नाम", "ค่าธรรมเนียม", "நிறுவனம்", "اسم_الطَرَف", "cafe\u0301", "株式会社", "Όνομα"];
  const bytes = await docx(...names.map((name) => `{${name}}`));
  expect(inspectTemplate(bytes).found?.variables.map(({ key }) => key)).toEqual(names);
  const values = Object.fromEntries(names.map((name, at) => [name, `value ${at}`]));
  expect(linesOf(fillTemplate(bytes, { values, sections: {} }))).toEqual(Object.values(values));
});

test("inspecting a template finds its variables and sections, what encloses each, and its text tags", async () => {
  const bytes = await docx(
    "{counterparty.name} and {us}",
    "{#late}",
    "Interest of {rate} for {us}.",
    "{#grace}Unless {days} days pass.{/grace}",
    "{/late}",
    "{^late}No interest.{/late}",
    "{signature:1} {{date:2}}",
  );
  expect(inspectTemplate(bytes).found).toEqual({
    variables: [
      { key: "counterparty.name", gates: [] },
      { key: "us", gates: [] },
      { key: "rate", gates: [{ tag: "late", whenOn: true }] },
      {
        key: "days",
        gates: [
          { tag: "late", whenOn: true },
          { tag: "grace", whenOn: true },
        ],
      },
    ],
    sections: [
      { tag: "late", gates: [], preview: "Interest of {rate} for {us}.\nUnless {days} days pass." },
      { tag: "grace", gates: [{ tag: "late", whenOn: true }], preview: "Unless {days} days pass." },
    ],
    anchors: ["signature:1", "date:2"],
  });
});

test("each kind of mistake in a template is reported with a message that says how to fix it", async () => {
  expect(await problems("{#a}", "text")).toEqual(["The section {#a} never ends. Put {/a} where it does."]);
  expect(await problems("{open")).toEqual([
    "A tag begins with {open and never ends. Close it with }, or remove the {.",
  ]);
  expect(await problems("closed}")).toEqual([
    'There is a } after "closed" without a { before it. Open the tag, or remove the }.',
  ]);
  expect(await problems("{{name}}")).toEqual([
    expect.stringContaining("{{name has two opening braces. Write one"),
    expect.stringContaining("two closing braces"),
  ]);
  expect(await problems("{#a}{#b}{/a}{/b}")).toEqual([
    "The section {#b} is ended by {/a}. Sections may contain each other but not overlap: end {#b} first.",
  ]);
  expect(await problems("{/a}")).toEqual([
    "{/a} ends a section that never began. Put {#a} where it begins, or remove the end.",
  ]);
  expect(await problems("{@xml}")).toEqual([
    "{@xml} would put markup into the document. Write {xml} for text.",
  ]);
  expect(await problems("{}", "{two words}")).toEqual([
    expect.stringContaining("without a name"),
    expect.stringContaining("{two words} cannot be a tag's name."),
  ]);
  expect(await problems("{#both}x{/both} {both}")).toEqual([
    "{both} is both a section and a variable. Give one of the two another name.",
  ]);
  const nested = (depth: number) =>
    Array.from({ length: depth }, (_, n) => `{#s${n}}`).concat(
      Array.from({ length: depth }, (_, n) => `{/s${depth - n - 1}}`),
    );
  expect(await problems(...nested(20))).toBeNull();
  expect(await problems(...nested(21))).toEqual([
    "{#s20} stands inside more than 19 other sections. Take it out of some.",
  ]);
  expect(inspectTemplate(Buffer.from("no archive")).problems).toEqual([
    "The document cannot be read as DOCX. Save it again as .docx and upload that.",
  ]);
});

test("a section that is off leaves no empty paragraph behind, wherever its tags are", async () => {
  const bytes = await docx(
    "First.",
    ...["{#own}", "Paragraphs of its own.", "{/own}"],
    "{#inline}All of a paragraph.{/inline}",
    ...["{#across}From here", "over this", "to there.{/across}"],
    ["{#ru", "ns}Cut in", "to runs.{/runs}"],
    "{#one}One.{/one}{#two} Two.{/two}",
    "Stays{#word} with a word{/word}.",
    "{^own}Instead.{/own}",
    "Last.",
  );
  const tags = ["own", "inline", "across", "runs", "one", "two", "word"];
  const all = (on: boolean) => Object.fromEntries(tags.map((tag) => [tag, on]));
  const off = fillTemplate(bytes, { values: {}, sections: all(false) });
  expect(linesOf(off)).toEqual(["First.", "Stays.", "Instead.", "Last."]);
  expect(xmlOf(off).match(/<w:numPr>/g)).toHaveLength(4);
  const on = fillTemplate(bytes, { values: {}, sections: all(true) });
  expect(linesOf(on)).toEqual([
    "First.",
    "Paragraphs of its own.",
    "All of a paragraph.",
    ...["From here", "over this", "to there."],
    "Cut into runs.",
    "One. Two.",
    "Stays with a word.",
    "Last.",
  ]);
  const one = fillTemplate(bytes, { values: {}, sections: { ...all(false), two: true } });
  expect(linesOf(one)).toContain(" Two.");
});

test("a table cell keeps a paragraph when its section is off, and a section can remove a whole row", async () => {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
  const table = new Table({
    rows: [
      new TableRow({ children: [cell("{#fee}Fee{/fee}"), cell("kept")] }),
      new TableRow({ children: [cell("{#row}gone"), cell("too{/row}")] }),
    ],
  });
  const filled = fillTemplate(await docx("Before", table, "After"), { values: {}, sections: {} });
  expect(linesOf(filled)).toEqual(["Before", "", "kept", "After"]);
  expect(xmlOf(filled).match(/<w:tr>/g)).toHaveLength(1);
});

test("text tags are kept when a template is filled, even if split across runs", async () => {
  const bytes = await docx(
    "{{signature:1}}",
    ["{", "{initi", "als:2}", "}"],
    "{date:1}",
    "{{text:3:PO number}}",
  );
  const filled = fillTemplate(bytes, { values: {}, sections: {} });
  expect(linesOf(filled)).toEqual([
    "{{signature:1}}",
    "{{initials:2}}",
    "{{date:1}}",
    "{{text:3:PO number}}",
  ]);
});

test("unwrapping text tags drops characters only in pairs, and takes less than 3 s for hostile XML", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("{", "}", "<w:r>", "</w:r>", "x", "a:1", "signature:1")),
      (parts) => {
        const xml = parts.join("");
        const dropped = xml.length - unwrapAnchors(xml).length;
        expect(dropped % 2).toBe(0);
      },
    ),
  );
  const hostile = "{<w:r>".repeat(100_000);
  const begun = process.cpuUsage();
  expect(unwrapAnchors(hostile)).toBe(hostile);
  expect(process.cpuUsage(begun).user).toBeLessThan(3_000_000);
});

test("markup and tags in a value appear in the document as plain text", async () => {
  const bytes = await docx("{a}");
  const both = await docx("{a}", "{b}");
  for (const value of [
    ...["<w:p/>", "</w:t></w:r>", "a & b", "&lt;", '"quoted"'],
    ...["{a}", "{b}", "{#b}x{/b}", "{ {b} }", "{{b}}", "{{signature:1}}", "{", "}}"],
  ]) {
    const filled = fillTemplate(both, { values: { a: value, b: "!" }, sections: {} });
    expect(linesOf(filled)).toEqual([value, "!"]);
  }
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 100 }).filter((text) => text.trim() !== ""),
      (value) => {
        const known = printable(value).replaceAll("\t", "");
        expect(linesOf(fillTemplate(bytes, { values: { a: known }, sections: {} }))).toEqual([known]);
      },
    ),
    { numRuns: 50 },
  );
});

test("line breaks in a value become line breaks in the document", async () => {
  const filled = fillTemplate(await docx("{a}."), { values: { a: "One\nTwo\n\nFour" }, sections: {} });
  expect(linesOf(filled)).toEqual(["One\nTwo\n\nFour."]);
});

test("tags in headers and footers are found and filled, on first and even pages too", async () => {
  const paragraph = (key: string) => ({ children: [new Paragraph(`{${key}} {#draft}– draft{/draft}`)] });
  const document = new Document({
    evenAndOddHeaderAndFooters: true,
    sections: [
      {
        properties: { titlePage: true },
        headers: {
          default: new Header(paragraph("top")),
          first: new Header(paragraph("first")),
          even: new Header(paragraph("even")),
        },
        footers: { default: new Footer(paragraph("bottom")), first: new Footer(paragraph("end")) },
        children: [new Paragraph("x")],
      },
    ],
  });
  const bytes = await Packer.toBuffer(document);
  const keys = ["bottom", "end", "even", "first", "top"];
  const variables = inspectTemplate(bytes).found!.variables.map(({ key }) => key);
  expect(variables.sort()).toEqual(keys);
  const values = Object.fromEntries(keys.map((key) => [key, key.toUpperCase()]));
  const filled = fillTemplate(bytes, { values, sections: { draft: true } });
  const parts = Object.keys(new PizZip(filled).files).filter((name) => /^word\/(header|footer)\d/.test(name));
  expect(parts.flatMap((name) => linesOf(filled, name)).sort()).toEqual(
    keys.map((key) => `${key.toUpperCase()} – draft`),
  );
});

test("a header, footer, footnote or text box keeps an empty paragraph when all its content is off", async () => {
  const footnotes = { 1: { children: [new Paragraph("{#x}note{/x}")] } };
  const children = [
    new Paragraph({ children: [new TextRun("BOX"), new FootnoteReferenceRun(1)] }),
    new Paragraph("{#x}all{/x}"),
  ];
  const headers = { default: new Header({ children: [new Paragraph("{#x}Draft{/x}")] }) };
  const footers = {
    default: new Footer({ children: ["{#x}", "Page", "{/x}"].map((text) => new Paragraph(text)) }),
  };
  const zip = new PizZip(
    await Packer.toBuffer(new Document({ footnotes, sections: [{ headers, footers, children }] })),
  );
  const paragraph = "<w:p><w:r><w:t>{#x}in a box{/x}</w:t></w:r></w:p>";
  const box = `<w:pict><v:textbox><w:txbxContent>${paragraph}</w:txbxContent></v:textbox></w:pict>`;
  const xml = zip.file("word/document.xml")!.asText();
  zip.file("word/document.xml", xml.replace(/<w:t[^>]*>BOX<\/w:t>/, box));
  const filled = fillTemplate(zip.generate({ type: "uint8array" }), { values: {}, sections: { x: false } });
  for (const [part, holder] of [
    ["header1", "hdr"],
    ["footer1", "ftr"],
    ["footnotes", "footnote"],
    ["document", "txbxContent"],
  ] as const) {
    expect(xmlOf(filled, `word/${part}.xml`), part).toMatch(
      new RegExp(`<w:${holder}[^<>]*><w:p/></w:${holder}>`),
    );
  }
});

test("filling a template with the same data gives the same bytes, even an hour later", async () => {
  const bytes = await docx("{a}", "{#b}", "B", "{/b}");
  const fill = () => fillTemplate(bytes, { values: { a: "x".repeat(20_000) }, sections: { b: true } });
  const first = fill();
  // A ZIP stores times in steps of two seconds.
  const later = Date.now() + 3_600_000;
  const now = Date.now;
  Date.now = () => later;
  const second = fill();
  Date.now = now;
  expect(Buffer.from(second).equals(first)).toBe(true);
  const entries = Object.values(new PizZip(first).files);
  expect(entries[0]!.name).toBe("[Content_Types].xml");
  expect(new Set(entries.map(({ date }) => date.getFullYear()))).toEqual(new Set([1980]));
});
