/**
 * The fonts that are packaged with the product, all under the SIL Open Font License: Noto for reading, a
 * script for signatures that are typed. Which of them a character is set in is decided here.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import fontkit, { type Font as FontkitFont } from "@cantoo/fontkit";

export type Style = "regular" | "bold" | "hand";

export interface Face {
  name: string;
  data: Uint8Array;
  font: FontkitFont;
  /** Handwriting: good for whole words only, for nobody changes hands within one. */
  isScript: boolean;
  /** Size of the design grid. */
  unitsPerEm: number;
  has(codePoint: number): boolean;
}

interface Family {
  package: string;
  files: Partial<Record<Style, string>>;
}

const noto = (name: string, regular: string, bold: string): Family => ({
  package: `@embedpdf/fonts-${name}`,
  files: { regular: `fonts/${regular}`, bold: `fonts/${bold}` },
});

const families = {
  hand: {
    package: "@expo-google-fonts/great-vibes",
    files: { hand: "400Regular/GreatVibes_400Regular.ttf" },
  },
  latin: noto("latin", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
  hebrew: noto("hebrew", "NotoSansHebrew-Regular.ttf", "NotoSansHebrew-Bold.ttf"),
  arabic: noto("arabic", "NotoNaskhArabic-Regular.ttf", "NotoNaskhArabic-Bold.ttf"),
  chinese: noto("sc", "NotoSansHans-Regular.otf", "NotoSansHans-Bold.otf"),
  japanese: noto("jp", "NotoSansJP-Regular.otf", "NotoSansJP-Bold.otf"),
  korean: noto("kr", "NotoSansKR-Regular.otf", "NotoSansKR-Bold.otf"),
} satisfies Record<string, Family>;

type FamilyName = keyof typeof families;

/** Han characters are drawn a little differently in each country: what stands beside them tells which. */
function order(text: string): FamilyName[] {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return ["japanese", "chinese", "korean"];
  if (/\p{sc=Hangul}/u.test(text)) return ["korean", "chinese", "japanese"];
  return ["chinese", "japanese", "korean"];
}

const beyondLatin = /[\u0590-\u08ff\u1100-\u11ff\u2e80-\ud7ff\uf900-\uffef\u{10000}-\u{10ffff}]/u;

/** The faces to try for a text, the best first. The large ones are loaded for those who need them only. */
export function facesFor(text: string, style: Style): Face[] {
  const names: FamilyName[] = ["latin"];
  if (style === "hand") names.unshift("hand");
  if (beyondLatin.test(text)) names.push("hebrew", "arabic", ...order(text));
  return names.map((name) => face(name, style));
}

const loaded = new Map<string, Face>();

function face(name: FamilyName, style: Style): Face {
  const family: Family = families[name];
  const file = family.files[style] ?? family.files.regular!;
  const known = loaded.get(file);
  if (known) return known;
  const data = readFileSync(join(folderOf(family.package), file));
  const font = fontkit.create(data) as FontkitFont;
  const characters = new Set(font.characterSet);
  const made: Face = {
    name: font.postscriptName ?? name,
    data,
    font,
    isScript: name === "hand",
    unitsPerEm: font.unitsPerEm,
    has: (codePoint) => characters.has(codePoint),
  };
  loaded.set(file, made);
  return made;
}

function folderOf(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  // Some packages export their main file only.
  const main = resolve(name);
  return main.slice(0, main.lastIndexOf(join(...name.split("/")))) + name;
}
