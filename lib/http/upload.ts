/** Inspects an uploaded file: what its bytes are, and what is wrong with them. */
import type { Issue, Refusal } from "#lib/core/errors.ts";
import { invalid } from "#lib/core/errors.ts";
import type { Turn } from "#lib/core/lanes.ts";
import type { FileField, StoredUpload } from "#lib/core/operation.ts";
import type { Incoming } from "#lib/storage/incoming.ts";

/** An uploaded file, with the sender's name and type for it. */
export interface Upload {
  incoming: Incoming;
  /** It was not valid base64. */
  isMalformed: boolean;
  discard(): Promise<void>;
}

/** The sender's description of the file, as far as it is text. */
export function descriptionOf(body: Record<string, unknown>, { name }: FileField) {
  const { fileName, contentType } = Object(body[name]) as Record<string, unknown>;
  return {
    fileName: typeof fileName === "string" ? fileName : "",
    contentType: typeof contentType === "string" ? contentType : "",
  };
}

/** Reads as much of the file as it takes to detect its type; returns that, or the issues. */
export async function inspectUpload(
  upload: Upload,
  field: FileField,
  said: { fileName: string; contentType: string },
  turn: Turn,
): Promise<{ issues: Issue[]; stored: StoredUpload | null }> {
  const at = (name: string, message: string) => ({ path: `${field.name}.${name}`, message });
  if (upload.isMalformed) return { issues: [at("contentBase64", "must be base64")], stored: null };
  const { path, sha256, sizeBytes } = upload.incoming;
  if (sizeBytes === 0) return { issues: [at("contentBase64", "must not be empty")], stored: null };
  const inspected = await field.inspect({ path, ...said }, turn);
  if ("wrong" in inspected) {
    return { issues: inspected.wrong.map(({ name, message }) => at(name, message)), stored: null };
  }
  return { issues: [], stored: { sha256, sizeBytes, ...inspected } };
}

/** Renames issues' fields as in the form, where the file is one part, called `file`. */
export function asFormIssues(refusal: Refusal, { name }: FileField): Refusal {
  const paths = (refusal.issues ?? []).map(({ path, message }) =>
    path === name || path.startsWith(`${name}.`) ? { path: "file", message } : { path, message },
  );
  const messages = new Set<string>();
  return invalid(
    ...paths.filter(({ path, message }) => {
      const isNew = !messages.has(`${path} ${message}`);
      messages.add(`${path} ${message}`);
      return isNew;
    }),
  );
}
