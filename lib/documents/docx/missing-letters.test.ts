import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { docx, paragraph } from "#e2e/docx.ts";
import { missingLetters } from "./missing-letters.ts";

const missing = async (body: string, ...pages: string[]) => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-letters-"));
  try {
    await writeFile(join(folder, "a.docx"), docx({ body }));
    return await missingLetters({ path: join(folder, "a.docx"), pages });
  } finally {
    await rm(folder, { recursive: true });
  }
};

const run = (text: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

test("ligatures, capitals, hyphens, spacing, accents and right-to-left order make no letters count as missing", async () => {
  const body = paragraph("Efficient affiliates shall indemnify Zoë") + paragraph("契約書 العقد");
  expect(await missing(body, "1 EFﬁCIENT AFFILI-", "ATES SHALL IN DEM NIFY\nZOE\u0308\n書約契 ﺩﻘﻌﻟﺍ")).toBe(
    0,
  );
});

test("hidden, deleted, moved, repeated and field-code text does not count as missing", async () => {
  const texts = [
    run("hidden", "<w:vanish/>"),
    `<w:del>${run("deleted")}</w:del><w:moveFrom>${run("moved")}</w:moveFrom>`,
    `${field("begin")}${run("code")}${field("separate")}${run("A")}${field("end")}`,
    `<mc:AlternateContent xmlns:mc="x"><mc:Choice>${run("B")}</mc:Choice><mc:Fallback>${run("B")}</mc:Fallback></mc:AlternateContent>`,
    run("C", '<w:vanish w:val="0"/>'),
  ];
  expect(await missing(texts.map((text) => `<w:p>${text}</w:p>`).join(""), "abc")).toBe(0);
});

test("letters that the pages show less often than the document count as missing", async () => {
  expect(await missing(paragraph("abab"), "ab", "")).toBe(0.5);
  expect(await missing(paragraph("abab"), "")).toBe(1);
  expect(await missing("", "")).toBe(0);
});
