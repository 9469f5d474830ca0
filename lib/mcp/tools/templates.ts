/** The tool that lists templates and the inputs of each. */
import { z } from "zod";
import { idIn } from "#lib/core/wire.ts";
import { templates } from "#lib/templates/operations.ts";
import type { Template } from "#lib/templates/schema.ts";
import { clip } from "../answers/budget.ts";
import { linkTo } from "../answers/links.ts";
import { quote, quotedNotice } from "../answers/quote.ts";
import { counted, titled, words } from "../answers/words.ts";
import { cursor, paginate, pagingFields, startOf } from "./paging.ts";
import { type Caller, tool } from "./tool.ts";

const TemplateLine = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  contractType: z.string(),
  ourRole: z.string(),
  requiredInputs: z.array(z.string()),
  link: z.string(),
});

const Input = z.object({
  key: z.string(),
  kind: z.string().meta({ description: "A variable's type, or section" }),
  label: z.string(),
  isRequired: z.boolean(),
  options: z.array(z.string()),
  optionCount: z.int(),
  default: z.string().nullable(),
  quotedText: z.string().nullable().meta({ description: "What a section says" }),
});

const shownInputs = 20;

function templateFrom({ variables, description, ...template }: z.output<typeof Template>) {
  const required = variables.filter(({ requiresInput }) => requiresInput).map(({ key }) => clip(key, 60));
  return {
    ...template,
    description: description && clip(description, 300),
    requiredInputs:
      required.length > shownInputs
        ? [...required.slice(0, shownInputs), `and ${required.length - shownInputs} more`]
        : required,
    link: linkTo.template(template.id),
  };
}

function templateLine(template: z.output<typeof TemplateLine>): string {
  const { id, name, contractType, ourRole, requiredInputs, link } = template;
  const needs = requiredInputs.length > 0 ? ` Needs: ${requiredInputs.join(", ")}.` : "";
  const what = `${contractType.replaceAll("_", " ")}, where we are the ${words(ourRole)}`;
  return `- ${titled(name)}: ${what}.${needs} ${id} ${link}`;
}

export const listTemplates = tool({
  name: "list_templates",
  title: "List templates",
  description:
    "Lists templates that contracts can be created from. With templateId it lists that template's variables and sections, and what they say, for create_contract.",
  uses: [templates.list, templates.read],
  input: z.strictObject({ templateId: idIn("template").optional(), cursor }),
  output: z.object({
    total: z.int(),
    templates: z.array(TemplateLine),
    inputs: z.array(Input),
    ...pagingFields,
  }),
  run: (caller, { templateId, cursor: at }) =>
    templateId === undefined ? all(caller, startOf(at)) : one(caller, templateId, startOf(at)),
});

async function all(caller: Caller, start: number) {
  const { data } = await caller.ask(templates.list, {});
  const items = data.slice(start, start + 100).map(templateFrom);
  const list = paginate({
    items,
    start,
    total: data.length,
    lineOf: templateLine,
    rowOf: TemplateLine.parse,
  });
  return {
    data: { total: data.length, templates: list.items, inputs: [], ...list.more },
    text: `${counted(data.length, "template")}.\n${list.text}${list.note}`,
  };
}

/** Lists the variables and sections, in the form that create_contract takes. */
async function one(caller: Caller, id: string, start: number) {
  const { template: read } = await caller.ask(templates.read, { id });
  const template = templateFrom(read);
  const inputs = [...read.variables.map(variableFrom), ...read.sections.map(sectionFrom)];
  const asLines = { lineOf: inputLine, rowOf: Input.parse };
  const list = paginate({ items: inputs.slice(start), start, total: inputs.length, ...asLines });
  const quotesAny = list.items.some(({ quotedText }) => quotedText);
  return {
    data: { total: 1, templates: [template], inputs: list.items, ...list.more },
    text: `${templateLine(template)}\n${quotesAny ? `${quotedNotice}\n` : ""}Variables and sections:\n${list.text}${list.note}`,
  };
}

const shownOptions = 12;
/** The most characters of one section's text. */
const shownCharacters = 1_200;

function variableFrom(variable: z.output<typeof Template>["variables"][number]): z.output<typeof Input> {
  const { key, type, label, requiresInput, options, defaultValue } = variable;
  return {
    key,
    kind: type,
    label,
    isRequired: requiresInput,
    options: options.slice(0, shownOptions).map((option) => clip(option, 60)),
    optionCount: options.length,
    default: defaultValue && clip(defaultValue, 100),
    quotedText: null,
  };
}

function sectionFrom(section: z.output<typeof Template>["sections"][number]): z.output<typeof Input> {
  const { tag, label, defaultOn, preview } = section;
  const standard = defaultOn ? "true" : "false";
  return {
    key: tag,
    kind: "section",
    label,
    isRequired: false,
    options: [],
    optionCount: 0,
    default: standard,
    quotedText: preview && clip(preview, shownCharacters),
  };
}

function inputLine({
  key,
  kind,
  label,
  isRequired,
  options,
  optionCount,
  default: standard,
  quotedText,
}: z.output<typeof Input>) {
  const choices = options.length > 0 ? `, one of ${options.join(" | ")}` : "";
  const others = optionCount > options.length ? ` and ${optionCount - options.length} more` : "";
  const said = quotedText
    ? `\n${quote(`the section ${titled(clip(label, 60))} of the template`, quotedText)}`
    : "";
  const otherwise = standard ? `, otherwise ${standard}` : "";
  return `- ${key}: ${label} (${kind}${isRequired ? ", required" : ""}${choices}${others}${otherwise})${said}`;
}
