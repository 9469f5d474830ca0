/** Simplifies a document's page tree: one list, nothing shared or inherited, one visible box. */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  PDFRef,
} from "#lib/documents/pdf/pdf-lib.ts";
import { visibleBox } from "#lib/documents/typeset/page-box.ts";

const key = (text: string) => PDFName.of(text);

const inheritable = new Set(["Resources", "MediaBox", "CropBox", "Rotate"]);

/**
 * The page entries to keep. Dropped: boxes other than the visible one, which are for printers; thumbnails; programs'
 * private data; transitions; actions; files.
 */
const entries = [...inheritable, "Contents", "Group", "Annots", "StructParents", "Tabs", "UserUnit"];

/** Must be called before the document's pages are first accessed. */
export function flattenPageTree(pdf: PDFDocument): void {
  const { catalog, context } = pdf;
  const tree = PDFPageTree.withContext(context);
  const treeRef = context.register(tree);
  const seen = new Set<PDFRef>();
  for (const { ref, found } of leaves(context, catalog.get(key("Pages")))) {
    const map = new Map<PDFName, PDFObject>([
      [key("Type"), key("Page")],
      [key("Parent"), treeRef],
    ]);
    for (const [name, value] of found) map.set(name, value);
    const page = PDFPageLeaf.fromMapWithContext(map, context);
    // A page that is in the tree twice becomes two pages: what is drawn on one must not appear on the other.
    const own = ref && !seen.has(ref) ? ref : context.nextRef();
    if (ref) seen.add(ref);
    context.assign(own, page);
    tree.pushLeafNode(own);
  }
  catalog.set(key("Pages"), treeRef);
  for (const page of pdf.getPages()) {
    const box = context.obj([...visibleBox(page)]);
    for (const name of ["MediaBox", "CropBox"]) page.node.set(key(name), box);
    const turn = page.node.lookup(key("Rotate"));
    const quarters = turn instanceof PDFNumber ? Math.round(turn.asNumber() / 90) : 0;
    page.node.set(key("Rotate"), PDFNumber.of((((quarters % 4) + 4) % 4) * 90));
  }
}

interface Leaf {
  ref: PDFRef | null;
  found: Map<PDFName, PDFObject>;
}

/** In order, each with the entries it inherits. The upload was rejected unless this is a tree. */
function* leaves(
  context: PDFContext,
  node: PDFObject | undefined,
  inherited: ReadonlyMap<PDFName, PDFObject> = new Map(),
  above = new Set<PDFDict>(),
): Generator<Leaf> {
  const dict = context.lookup(node);
  if (!(dict instanceof PDFDict) || above.has(dict)) return;
  const own = new Map(inherited);
  const kids = dict.lookup(key("Kids"));
  for (const name of kids instanceof PDFArray ? inheritable : entries) {
    const value = dict.get(key(name));
    if (value) own.set(key(name), value);
  }
  if (!(kids instanceof PDFArray)) {
    yield { ref: node instanceof PDFRef ? node : null, found: own };
    return;
  }
  above.add(dict);
  for (const kid of kids.asArray()) yield* leaves(context, kid, own, above);
  above.delete(dict);
}
