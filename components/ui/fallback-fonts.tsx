"use client";
/**
 * Names in scripts that this machine has no font for are shown in the fonts that documents are stamped with, not as
 * boxes. They are large, so a machine that has its own loads none, and each is loaded by the first text that needs it.
 */
import { useEffect } from "react";

/** The last of the families that the style sheet names for text. */
const family = "Countersign Scripts";

const scripts = [
  {
    sample: "한",
    range: "U+1100-11FF, U+3130-318F, U+A960-A97F, U+AC00-D7FF",
    font: new URL("../../node_modules/@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf", import.meta.url),
  },
  {
    sample: "か",
    range: "U+3040-30FF, U+31F0-31FF, U+FF66-FF9F",
    font: new URL("../../node_modules/@embedpdf/fonts-jp/fonts/NotoSansJP-Regular.otf", import.meta.url),
  },
  {
    sample: "汉",
    range: "U+2E80-2FDF, U+3000-303F, U+3100-312F, U+3400-4DBF, U+4E00-9FFF, U+F900-FAFF, U+FF01-FF65",
    font: new URL("../../node_modules/@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf", import.meta.url),
  },
  {
    sample: "م",
    range: "U+0600-06FF, U+0750-077F, U+08A0-08FF, U+FB50-FDFF, U+FE70-FEFC",
    font: new URL(
      "../../node_modules/@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf",
      import.meta.url,
    ),
  },
  {
    sample: "ש",
    range: "U+0590-05FF, U+FB1D-FB4F",
    font: new URL(
      "../../node_modules/@embedpdf/fonts-hebrew/fonts/NotoSansHebrew-Regular.ttf",
      import.meta.url,
    ),
  },
];

/** No character, so what is drawn for it is what is drawn for want of a font. */
const unassigned = "\u0378";

export function MoreScripts() {
  useEffect(() => {
    whenIdle(() => {
      const inkOf = pen();
      // One letter at a time: looking for a font takes the system some milliseconds.
      const look = (box: string, [script, ...others]: typeof scripts) => {
        if (!script) return;
        if (inkOf(script.sample) === box) provide(script);
        whenIdle(() => look(box, others));
      };
      whenIdle(() => {
        const box = inkOf(unassigned);
        whenIdle(() => look(box, scripts));
      });
    });
  }, []);
  return null;
}

function provide({ range, font }: (typeof scripts)[number]): void {
  document.fonts.add(new FontFace(family, `url("${font}")`, { unicodeRange: range, display: "swap" }));
}

/** Some browsers do not tell when they are. */
const whenIdle = (work: () => void) =>
  "requestIdleCallback" in globalThis ? requestIdleCallback(work) : setTimeout(work, 200);

/** Draws a text in the page's own font, out of sight; what it answers is the same where the picture is. */
function pen(): (text: string) => string {
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
