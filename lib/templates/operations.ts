import { z } from "zod";
import { operation } from "#lib/api/operation.ts";
import { pathId } from "#lib/wire.ts";
import { templateField } from "./document.ts";
import { checkTemplate, createFromTemplate } from "./generate.ts";
import { previewTemplate } from "./preview.ts";
import { findTemplate, listAllTemplates, listTemplates, templateFrom, templateHistory } from "./rows.ts";
import {
  Filling,
  MadeFromTemplate,
  NewContractFromTemplate,
  NewTemplate,
  NewTemplateDocument,
  SaveSettings,
  TemplateAnswer,
  TemplateCheck,
  TemplateDetailAnswer,
  TemplateDetailList,
  TemplateHistory,
  TemplateList,
  TemplatePreview,
} from "./schema.ts";
import { archiveTemplate, saveSettings, uploadDocument, uploadTemplate } from "./templates.ts";

const one = z.object({ id: pathId("template") });

export const templates = {
  list: operation({
    summary: "List templates",
    description: "All that can be used, by name.",
    scopes: ["templates:read"],
    input: z.object({}),
    output: TemplateList,
    errors: [],
    cacheable: true,
    run: listTemplates,
  }),
  read: operation({
    summary: "Read a template with its variables and sections",
    scopes: ["templates:read"],
    input: one,
    output: TemplateAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ template: templateFrom(await findTemplate(ctx, id)) }),
  }),
  makeContract: operation({
    summary: "Make a contract from a template",
    description:
      "Its first version is the template's DOCX, filled; the PDF of it follows. With a counterpartyName that is new, the scope counterparties:write is needed too.",
    scopes: ["contracts:write", "templates:read"],
    input: NewContractFromTemplate,
    output: MadeFromTemplate,
    status: 201,
    errors: ["insufficient_scope", "forbidden", "conflict"],
    location: ({ contractId }: { contractId: string }) => `/contracts/${contractId}`,
    run: (ctx, input) => createFromTemplate(ctx, input),
  }),
  listAll: operation({
    summary: "List templates with their settings",
    description: "Archived ones too, by name.",
    scopes: ["templates:read"],
    input: z.object({}),
    output: TemplateDetailList,
    errors: [],
    cacheable: true,
    run: listAllTemplates,
  }),
  readSettings: operation({
    summary: "Read a template with all of its settings",
    scopes: ["templates:read"],
    input: one,
    output: TemplateDetailAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ template: templateFrom(await findTemplate(ctx, id)) }),
  }),
  history: operation({
    summary: "List the revisions of a template",
    description: "The newest first, each with its document and settings.",
    scopes: ["templates:read"],
    input: one,
    output: TemplateHistory,
    errors: ["not_found"],
    cacheable: true,
    run: (ctx, { id }) => templateHistory(ctx, id),
  }),
  upload: operation({
    summary: "Make a template from a DOCX",
    description:
      "Its tags are found in it; what is not said about them follows from their names. The file comes in base64 or as the file of a form.",
    scopes: ["templates:write"],
    input: NewTemplate,
    file: templateField,
    output: TemplateDetailAnswer,
    status: 201,
    errors: ["conflict"],
    run: async (ctx, input, file) => ({ template: templateFrom(await uploadTemplate(ctx, input, file)) }),
  }),
  replaceDocument: operation({
    summary: "Replace a template's DOCX",
    description: "What is said about tags that stay, stays. It makes a revision.",
    scopes: ["templates:write"],
    input: NewTemplateDocument,
    file: templateField,
    output: TemplateDetailAnswer,
    errors: ["not_found", "conflict"],
    run: async (ctx, input, file) => ({ template: templateFrom(await uploadDocument(ctx, input, file)) }),
  }),
  saveSettings: operation({
    summary: "Save a template's settings",
    description: "All of them. It makes a revision; contracts made before keep theirs.",
    scopes: ["templates:write"],
    input: SaveSettings,
    output: TemplateDetailAnswer,
    errors: ["not_found", "conflict"],
    run: async (ctx, input) => ({ template: templateFrom(await saveSettings(ctx, input)) }),
  }),
  archive: operation({
    summary: "Archive a template",
    description: "It can no longer be used. Contracts made from it stay.",
    scopes: ["templates:write"],
    input: one,
    output: TemplateDetailAnswer,
    errors: ["not_found"],
    run: async (ctx, { id }) => ({ template: templateFrom(await archiveTemplate(ctx, id, true)) }),
  }),
  restore: operation({
    summary: "Bring an archived template back",
    scopes: ["templates:write"],
    input: one,
    output: TemplateDetailAnswer,
    errors: ["not_found"],
    run: async (ctx, { id }) => ({ template: templateFrom(await archiveTemplate(ctx, id, false)) }),
  }),
  check: operation({
    summary: "Say what a template still asks",
    description: "What each variable is filled with so far, which sections are on, and what is wrong.",
    scopes: ["templates:read"],
    input: Filling,
    output: TemplateCheck,
    errors: [],
    run: (ctx, input) => checkTemplate(ctx, input),
  }),
  preview: operation({
    summary: "Show the PDF that a template makes so far",
    description: "What is missing stands there by its label, as [Governing law].",
    scopes: ["templates:read"],
    input: Filling,
    output: TemplatePreview,
    errors: [],
    run: previewTemplate,
  }),
};
