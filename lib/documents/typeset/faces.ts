/**
 * The fonts packaged with the product, all under the SIL Open Font License: Noto for text, a script face for typed
 * signatures. Decides which of them a character is set in.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import fontkit, { type Font as FontkitFont } from "@cantoo/fontkit";

export type Style = "regular" | "bold" | "hand";

export interface Face {
  readonly name: string;
  readonly data: Uint8Array;
  readonly font: FontkitFont;
  /** Handwriting: used for whole words only, because nobody's handwriting changes within a word. */
  readonly isScript: boolean;
  /** Size of the design grid. */
  readonly unitsPerEm: number;
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

/** Han characters are drawn slightly differently in each country: the surrounding text shows which. */
function order(text: string): FamilyName[] {
  if (/[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)) return ["japanese", "chinese", "korean"];
  if (/\p{sc=Hangul}/u.test(text)) return ["korean", "chinese", "japanese"];
  return ["chinese", "japanese", "korean"];
}

const beyondLatin = /[\u0590-\u08ff\u1100-\u11ff\u2e80-\ud7ff\uf900-\uffef\u{10000}-\u{10ffff}]/u;

/** The faces to try for a text, best first. Each is loaded when it is first asked about a character. */
export function facesFor(text: string, style: Style): Face[] {
  const names: FamilyName[] = ["latin"];
  if (style === "hand") names.unshift("hand");
  if (beyondLatin.test(text)) names.push("hebrew", "arabic", ...order(text));
  return names.map((name) => face(name, style));
}

/** A face whose font is loaded on first use: the large ones have several megabytes. */
class PackagedFace implements Face {
  readonly isScript: boolean;
  readonly #name: FamilyName;
  readonly #file: string;
  #loaded: { data: Uint8Array; font: FontkitFont; characters: ReadonlySet<number> } | undefined;

  constructor(name: FamilyName, file: string) {
    this.#name = name;
    this.#file = file;
    this.isScript = name === "hand";
  }

  get name(): string {
    return this.font.postscriptName ?? this.#name;
  }

  get data(): Uint8Array {
    return this.#load().data;
  }

  get font(): FontkitFont {
    return this.#load().font;
  }

  get unitsPerEm(): number {
    return this.font.unitsPerEm;
  }

  has(codePoint: number): boolean {
    return this.#load().characters.has(codePoint);
  }

  #load() {
    if (this.#loaded) return this.#loaded;
    const data = readFileSync(join(folderOf(families[this.#name].package), this.#file));
    const font = fontkit.create(data) as FontkitFont;
    this.#loaded = { data, font, characters: new Set(font.characterSet) };
    return this.#loaded;
  }
}

const known = new Map<string, Face>();

function face(name: FamilyName, style: Style): Face {
  const family: Family = families[name];
  const file = family.files[style] ?? family.files.regular!;
  const made = known.get(file) ?? new PackagedFace(name, file);
  known.set(file, made);
  return made;
}

function folderOf(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  // Some packages export only their main file.
  const main = resolve(name);
  return main.slice(0, main.lastIndexOf(join(...name.split("/")))) + name;
}
