/** The links that a document may keep: to a place in itself, and to an address that a browser opens. */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFString,
} from "#lib/documents/pdf/pdf-lib.ts";

const key = (text: string) => PDFName.of(text);

/** The `A` and `Dest` of a link or bookmark that may stay. */
export function safeTarget(context: PDFContext, from: PDFDict): [PDFName, PDFObject][] {
  const destination = safeDestination(context, from.get(key("Dest")));
  if (destination) return [[key("Dest"), destination]];
  const action = safeAction(context, from.lookup(key("A")));
  return action ? [[key("A"), action]] : [];
}

function safeAction(context: PDFContext, action: PDFObject | undefined): PDFDict | null {
  if (!(action instanceof PDFDict)) return null;
  const kind = action.lookup(key("S"));
  if (kind === key("URI")) {
    const uri = action.lookup(key("URI"));
    const address = uri instanceof PDFString || uri instanceof PDFHexString ? uri.decodeText() : "";
    if (!/^(https?:|mailto:|tel:)/i.test(address)) return null;
    return context.obj({ S: "URI", URI: PDFHexString.fromBytes(Buffer.from(address, "latin1")) });
  }
  const destination = kind === key("GoTo") ? safeDestination(context, action.get(key("D"))) : null;
  return destination ? context.obj({ S: "GoTo", D: destination }) : null;
}

/** A name, or a page and the view of it. */
export function safeDestination(context: PDFContext, value: PDFObject | undefined): PDFObject | null {
  const found = context.lookup(value);
  if (found instanceof PDFName || found instanceof PDFString || found instanceof PDFHexString) return found;
  if (found instanceof PDFDict) return safeDestination(context, found.get(key("D")));
  if (!(found instanceof PDFArray)) return null;
  const [page, ...view] = found.asArray();
  if (!(page instanceof PDFRef) || view.length > 6) return null;
  const isPlain = view.every((one) => one instanceof PDFName || one instanceof PDFNumber || one === PDFNull);
  return isPlain ? context.obj([page, ...view]) : null;
}
