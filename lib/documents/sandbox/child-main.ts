/**
 * The program that lib/documents/sandbox/child.ts starts: runs the parser that its argument names on the JSON of its input, and
 * prints the result as JSON. It may read its own program and the file it was given, and nothing else.
 */
import { readFile } from "node:fs/promises";
import { json } from "node:stream/consumers";
import type { compareTexts } from "#lib/contracts/comparison.ts";
import type { Data } from "#lib/templates/tagged.ts";
import type { findAnchors } from "#lib/documents/text/text-tags.ts";
import type { findBlanks } from "#lib/documents/text/blanks.ts";
import type { missingLetters } from "#lib/documents/docx/missing-letters.ts";
import type { inspect } from "#lib/documents/inspect/inspect.ts";
import type { readSeal } from "#lib/documents/seal/read-seal.ts";
import type { sealPages } from "#lib/documents/seal/seal-pages.ts";
import type { readSignatureImage } from "#lib/documents/stamp/signature-image.ts";
import type { makeSigningCopy } from "#lib/documents/seal/signing-copy.ts";
import type { readText } from "#lib/documents/text/text.ts";

/**
 * Each takes an object, with the `path` of the file that it may read, and answers what can be printed as JSON. What
 * only one needs, only it loads.
 */
const parsers = {
  anchors: async (input: Parameters<typeof findAnchors>[0]) =>
    (await import("#lib/documents/text/text-tags.ts")).findAnchors(input),
  blanks: async (input: Parameters<typeof findBlanks>[0]) => (await import("#lib/documents/text/blanks.ts")).findBlanks(input),
  inspect: async (input: Parameters<typeof inspect>[0]) => (await import("#lib/documents/inspect/inspect.ts")).inspect(input),
  readSeal: async (input: Parameters<typeof readSeal>[0]) => (await import("#lib/documents/seal/read-seal.ts")).readSeal(input),
  sealPages: async (input: Parameters<typeof sealPages>[0]) =>
    (await import("#lib/documents/seal/seal-pages.ts")).sealPages(input),
  signatureImage: async (input: Parameters<typeof readSignatureImage>[0]) =>
    (await import("#lib/documents/stamp/signature-image.ts")).readSignatureImage(input),
  signingCopy: async (input: Parameters<typeof makeSigningCopy>[0]) =>
    (await import("#lib/documents/seal/signing-copy.ts")).makeSigningCopy(input),
  text: async (input: Parameters<typeof readText>[0]) => (await import("#lib/documents/text/text.ts")).readText(input),
  missingLetters: async (input: Parameters<typeof missingLetters>[0]) =>
    (await import("#lib/documents/docx/missing-letters.ts")).missingLetters(input),
  compare: async ({ a, b }: { path?: undefined; a: string[]; b: string[] }): Promise<Compared> =>
    (await import("#lib/contracts/comparison.ts")).compareTexts(a, b),
  inspectTemplate: async ({ path }: { path: string }) =>
    (await import("#lib/templates/inspect.ts")).inspectTemplate(await readFile(path)),
  fillTemplate: async ({ path, data }: { path: string; data: Data }) => {
    const { fillTemplate } = await import("#lib/templates/fill.ts");
    return { base64: Buffer.from(fillTemplate(await readFile(path), data)).toString("base64") };
  },
};

type Compared = ReturnType<typeof compareTexts>;

export type Parsers = typeof parsers;

async function main(task: string): Promise<void> {
  const parser = parsers[task as keyof Parsers] as (input: unknown) => Promise<unknown>;
  const result = await parser(await json(process.stdin));
  process.stdout.write(JSON.stringify(result));
}

await main(process.argv[2] ?? "");
