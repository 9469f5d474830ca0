/** Removes unreferenced objects from a document: earlier revisions, removed fields, broken signatures. */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFObject,
  PDFRef,
  PDFStream,
} from "#lib/documents/pdf/pdf-lib.ts";

export function sweep(context: PDFContext): void {
  const { Root, Info } = context.trailerInfo;
  const reached = new Set<PDFRef>();
  const open: (PDFObject | undefined)[] = [Root, Info];
  while (open.length > 0) {
    const next = open.pop();
    if (next instanceof PDFRef) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(context.lookup(next));
    } else if (next instanceof PDFArray) for (const one of next.asArray()) open.push(one);
    else if (next instanceof PDFStream) open.push(next.dict);
    else if (next instanceof PDFDict) for (const one of next.values()) open.push(one);
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref);
}

/** The dictionaries nested in an object, without following references. */
export function* dictsIn(object: PDFObject): Generator<PDFDict> {
  const open = [object];
  while (open.length > 0) {
    const next = open.pop();
    const dict = next instanceof PDFStream ? next.dict : next;
    if (dict instanceof PDFDict) {
      yield dict;
      open.push(...dict.values());
    } else if (dict instanceof PDFArray) for (const one of dict.asArray()) open.push(one);
  }
}
