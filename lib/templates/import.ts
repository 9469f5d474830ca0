/** Imports a template from an operator's file. */
import { basename, resolve } from "node:path";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import { turnOf } from "#lib/core/lanes.ts";
import { store } from "#lib/storage/store.ts";
import { templateField, templateLimitBytes } from "./document.ts";
import { PartialSettings } from "./schema.ts";
import { createTemplate } from "./templates.ts";

/** `path` is the DOCX, `settings` is JSON as accepted by templates.upload. */
export async function importTemplate(
  ctx: Context,
  { path, docx, settings }: { path: string; docx: Uint8Array; settings: string },
) {
  const said = PartialSettings.safeParse(parsed(settings));
  if (!said.success) {
    const issues = said.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
    throw invalid(...issues);
  }
  const fileName = basename(path);
  const found = await templateField.inspect({ path: resolve(path), fileName, contentType: "" }, turnOf(ctx));
  if ("wrong" in found) throw invalid(...found.wrong.map(({ message }) => ({ path: "--file", message })));
  const stored = await store(ctx.organizationId, docx, { limitBytes: templateLimitBytes });
  const { id, name, variables, sections } = await createTemplate(ctx, {
    ...said.data,
    file: { ...stored, fileName },
  });
  return { id, name, variables: (variables as []).length, sections: (sections as []).length };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalid({ path: "--settings", message: "is not JSON" });
  }
}
