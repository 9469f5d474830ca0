/** Templates for tests: a DOCX with one paragraph per text, created through the domain. */
import { Document, LevelFormat, Packer, Paragraph } from "docx";
import type { z } from "zod";
import type { Context } from "#lib/core/context.ts";
import { store } from "#lib/storage/store.ts";
import type { PartialSettings } from "#lib/templates/schema.ts";
import { createTemplate } from "#lib/templates/templates.ts";

/** Returns a DOCX; paragraphs that begin with # become numbered clauses. */
export async function docxOf(paragraphs: string[]): Promise<Buffer> {
  const children = paragraphs.map((text) =>
    text.startsWith("# ")
      ? new Paragraph({ text: text.slice(2), numbering: { reference: "clauses", level: 0 } })
      : new Paragraph(text),
  );
  const levels = [{ level: 0, format: LevelFormat.DECIMAL, text: "%1." }];
  const numbering = { config: [{ reference: "clauses", levels }] };
  return Packer.toBuffer(new Document({ numbering, sections: [{ children }] }));
}

export type SomeSettings = z.input<typeof PartialSettings>;

export async function templateIn(ctx: Context, paragraphs: string[], settings: SomeSettings = {}) {
  const stored = await store(ctx.organizationId, await docxOf(paragraphs));
  const { PartialSettings } = await import("#lib/templates/schema.ts");
  const said = PartialSettings.parse(settings);
  return createTemplate(ctx, { ...said, file: { ...stored, fileName: "services.docx" } });
}
