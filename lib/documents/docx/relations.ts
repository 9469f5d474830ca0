/** What leads from part to part in a DOCX, and what words are lost where it leads nowhere. */
import { posix } from "node:path";
import { Unfit } from "#lib/documents/sandbox/unfit.ts";
import type { Handlers } from "./xml.ts";

export interface Relation {
  id: string;
  /** The last word of its type: "header", "footnotes", … */
  kind: string;
  /** The part that it leads to, in lower case; null where that lies outside of the archive. */
  target: string | null;
}

/** Where a part's relations lie. */
export const relationsOf = (part: string) =>
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

/** What holds words, or the numbers before them. A picture that is missing is a gap that everyone sees. */
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

/** Elements that stand for words elsewhere, and how. */
const byId = new Set(["headerReference", "footerReference", "altChunk", "subDoc"]);
const byKind: Record<string, string> = { footnoteReference: "footnotes", endnoteReference: "endnotes" };

/** What a document takes its words from, beside itself. */
export interface Needs {
  ids: Set<string>;
  kinds: Set<string>;
}

export function needsReader({ ids, kinds }: Needs): Handlers {
  return {
    opened({ name, attributes }) {
      const kind = byKind[name];
      if (kind) kinds.add(kind);
      else if (byId.has(name) && attributes.id !== undefined) ids.add(attributes.id);
    },
  };
}

/** Throws Unfit where words of a document are not in its archive. */
export function refuseMissing(relations: Relation[], needs: Needs, names: ReadonlySet<string>): void {
  const lost = (what: string) =>
    new Unfit(`is damaged: ${what} is missing; repair it in Word and save it again`);
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
