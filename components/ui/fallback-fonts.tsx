"use client";
/**
 * Shows text in scripts for which this machine has no font in the fonts that documents are stamped with,
 * instead of as boxes. These fonts are large, so they are only loaded on machines without their own, and only
 * once the page contains text that needs them.
 */
import { useEffect } from "react";
import { whenIdle } from "./when-idle.ts";

interface Script {
  /** One letter of the script. */
  sample: string;
  letters: RegExp;
  /** The font's unicode-range. */
  range: string;
  font: URL;
}

/** The last font family that the style sheet lists for text. */
const family = "Countersign Scripts";

const scripts: Script[] = [
  {
    sample: "한",
    letters: /\p{Script=Hangul}/u,
    range: "U+1100-11FF, U+3130-318F, U+A960-A97F, U+AC00-D7FF",
    font: new URL("../../node_modules/@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf", import.meta.url),
  },
  {
    sample: "か",
    letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    range: "U+3040-30FF, U+31F0-31FF, U+FF66-FF9F",
    font: new URL("../../node_modules/@embedpdf/fonts-jp/fonts/NotoSansJP-Regular.otf", import.meta.url),
  },
  {
    sample: "汉",
    letters: /[\p{Script=Han}\u3000-\u303f\uff01-\uff65]/u,
    range: "U+2E80-2FDF, U+3000-303F, U+3100-312F, U+3400-4DBF, U+4E00-9FFF, U+F900-FAFF, U+FF01-FF65",
    font: new URL("../../node_modules/@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf", import.meta.url),
  },
  {
    sample: "م",
    letters: /\p{Script=Arabic}/u,
    range: "U+0600-06FF, U+0750-077F, U+08A0-08FF, U+FB50-FDFF, U+FE70-FEFC",
    font: new URL(
      "../../node_modules/@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf",
      import.meta.url,
    ),
  },
  {
    sample: "ש",
    letters: /\p{Script=Hebrew}/u,
    range: "U+0590-05FF, U+FB1D-FB4F",
    font: new URL(
      "../../node_modules/@embedpdf/fonts-hebrew/fonts/NotoSansHebrew-Regular.ttf",
      import.meta.url,
    ),
  },
];

/** An unassigned code point, drawn with the glyph for missing characters. */
const unassigned = "\u0378";

export function FallbackFonts() {
  useEffect(() => {
    const unseen = new Set(scripts);
    let isWaiting = false;
    const observer = new MutationObserver(scheduleCheck);
    function scheduleCheck(): void {
      if (isWaiting) return;
      isWaiting = true;
      whenIdle(() => {
        isWaiting = false;
        const text = shownText();
        const seen = [...unseen].filter(({ letters }) => letters.test(text));
        for (const script of seen) unseen.delete(script);
        if (unseen.size === 0) stop();
        if (seen.length > 0) void scriptsWithoutFont(seen).then(addFonts);
      });
    }
    function stop(): void {
      observer.disconnect();
      document.removeEventListener("input", scheduleCheck);
    }
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    document.addEventListener("input", scheduleCheck);
    scheduleCheck();
    return stop;
  }, []);
  return null;
}

/** Returns the page's text, including hidden text and the values of fields. */
function shownText(): string {
  const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea")];
  const parts = [...document.body.children].filter(({ tagName }) => tagName !== "SCRIPT");
  return [...parts.map(({ textContent }) => textContent), ...fields.map(({ value }) => value)].join(" ");
}

/** Returns the scripts for which this machine has no font. */
async function scriptsWithoutFont(seen: Script[]): Promise<Script[]> {
  const inkOf = await idly(glyphRenderer);
  const box = await idly(() => inkOf(unassigned));
  const found: Script[] = [];
  // One letter per idle callback: the system takes some milliseconds to look up a font.
  for (const script of seen) if ((await idly(() => inkOf(script.sample))) === box) found.push(script);
  return found;
}

/**
 * Loads the fonts, then adds them all at once, because each added font triggers a layout of the whole page,
 * as would each that the browser loads by itself. Parsing a font takes a while, so each is parsed in its own
 * idle callback.
 */
async function addFonts(found: Script[]): Promise<void> {
  const files = await Promise.all(found.map(({ font }) => fontFile(font)));
  const faces: FontFace[] = [];
  for (const [index, { range }] of found.entries()) {
    const file = files[index];
    if (file) faces.push(await idly(() => new FontFace(family, file, { unicodeRange: range })));
  }
  for (const face of faces) document.fonts.add(face);
}

/** Null if it is unavailable; the browser's fallback is then used. */
async function fontFile(font: URL): Promise<ArrayBuffer | null> {
  const response = await fetch(font).catch(() => null);
  return response?.ok ? response.arrayBuffer().catch(() => null) : null;
}

const idly = <Answer,>(work: () => Answer): Promise<Answer> =>
  new Promise<void>((idle) => whenIdle(() => idle())).then(work);

/**
 * Returns a function that draws text in the page's font on a hidden canvas. It returns equal strings for
 * equal pictures.
 */
function glyphRenderer(): (text: string) => string {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [24, 24];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context) context.font = `16px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => {
    context?.clearRect(0, 0, 24, 24);
    context?.fillText(text, 2, 18);
    return canvas.toDataURL();
  };
}
