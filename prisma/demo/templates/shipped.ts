/** The demo workspace's templates. */
import type { Context } from "#lib/core/context.ts";
import { store } from "#lib/storage/store.ts";
import { inspectTemplate } from "#lib/templates/inspect.ts";
import type { TemplateRow } from "#lib/templates/rows.ts";
import { createTemplate } from "#lib/templates/templates.ts";
import { dataProcessing } from "./data-processing.ts";
import { buildDocument } from "./document.ts";
import { mutualNda } from "./mutual-nda.ts";
import { servicesAgreement } from "./services.ts";
import { statementOfWork } from "./statement-of-work.ts";
import type { DemoTemplate } from "./words.ts";

export const shipped = { mutualNda, servicesAgreement, statementOfWork, dataProcessing };

export type Shipped = keyof typeof shipped;

/** Creates one of them in a workspace. */
export async function shipTemplate(
  ctx: Context,
  { fileName, settings, ...source }: DemoTemplate,
): Promise<{ row: TemplateRow; docx: Uint8Array }> {
  const docx = await buildDocument(source);
  const { found, problems } = inspectTemplate(docx);
  if (problems) throw new Error(`${fileName}: ${problems.join(" ")}`);
  const stored = await store(ctx.organizationId, docx);
  return { row: await createTemplate(ctx, { ...settings, file: { ...stored, fileName } }, found), docx };
}
