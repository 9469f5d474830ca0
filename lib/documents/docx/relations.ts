/** The relations between a DOCX's parts, and which text is lost if one leads nowhere. */
import { posix } from "node:path";
import { UnacceptableFile } from "#lib/documents/sandbox/unacceptable-file.ts";
import type { Handlers } from "./xml.ts";

export interface Relation {
  id: string;
  /** The last word of its type: "header", "footnotes", … */
  kind: string;
  /** The part it leads to, in lower case; null if that is outside the archive. */
  target: string | null;
}

/** The part that holds another part's relations. */
export const relationsPartOf = (part: string) =>
  posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`);

/** Reads the relations in a part, given by its name in lower case, into a list. */
export function relationReader(part: string, into: Relation[]): Handlers {
  const folder = posix.join("/", posix.dirname(part), "..");
  return {
    opened({ name, attributes }) {
      const { Id = "", Type = "", Target = "", TargetMode } = attributes;
      if (name !== "Relationship") return;
      const path = posix.resolve(folder, Target.replaceAll("\\", "/")).slice(1).toLowerCase();
      into.push({
        id: Id,
        kind: Type.slice(Type.lastIndexOf("/") + 1),
        target: TargetMode === "External" ? null : path,
      });
    },
  };
}

/** The part that is the document. */
export const mainPartOf = (root: Relation[]) =>
  root.find(({ kind, target }) => kind === "officeDocument" && target !== null)?.target ?? undefined;

/**
 * Parts that hold text or its numbering. A missing picture leaves a gap that everyone sees; missing text does not.
 */
const wordy = new Set([
  "header",
  "footer",
  "footnotes",
  "endnotes",
  "numbering",
  "styles",
  "aFChunk",
  "subDocument",
]);

/** Elements that refer to text elsewhere, and how. */
const byId = new Set(["headerReference", "footerReference", "altChunk", "subDoc"]);
const byKind: Record<string, string> = { footnoteReference: "footnotes", endnoteReference: "endnotes" };

/** The other parts from which a document takes text. */
export interface TextReferences {
  ids: Set<string>;
  kinds: Set<string>;
}

export function textReferenceReader({ ids, kinds }: TextReferences): Handlers {
  return {
    opened({ name, attributes }) {
      const kind = byKind[name];
      if (kind) kinds.add(kind);
      else if (byId.has(name) && attributes.id !== undefined) ids.add(attributes.id);
    },
  };
}

/** Throws UnacceptableFile if text of a document is missing from its archive. */
export function refuseMissing(
  relations: Relation[],
  needs: TextReferences,
  names: ReadonlySet<string>,
): void {
  const lost = (what: string) =>
    new UnacceptableFile(`is damaged: ${what} is missing; repair it in Word and save it again`);
  for (const { kind, target } of relations) {
    if (wordy.has(kind) && target !== null && !names.has(target)) throw lost(`its part ${target}`);
  }
  const has = {
    ids: new Set(relations.map(({ id }) => id)),
    kinds: new Set(relations.map(({ kind }) => kind)),
  };
  for (const id of needs.ids) if (!has.ids.has(id)) throw lost(`what its document calls ${id.slice(0, 50)}`);
  for (const kind of needs.kinds) if (!has.kinds.has(kind)) throw lost(`the part with its ${kind}`);
}
