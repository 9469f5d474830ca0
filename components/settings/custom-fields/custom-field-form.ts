import { z } from "zod";
import { customFieldTypes } from "#lib/custom-fields/catalogue.ts";
import { NewCustomField } from "#lib/custom-fields/schema.ts";

const { name, key } = NewCustomField.shape;

/** The field as a form holds it: options in lines. */
export const CustomFieldForm = z
  .object({ name, key, type: z.enum(customFieldTypes), options: z.string() })
  .transform(({ options, ...field }) => ({
    ...field,
    options: field.type === "choice" ? linesOf(options) : [],
  }));

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** What is wrong with one option is told of them all: the form has one place for them. */
export function issuesInForm(issues: readonly { path: string; message: string }[]) {
  return issues.map(({ path, message }) => {
    const [, line] = /^options\.(\d+)$/.exec(path) ?? [];
    return line === undefined
      ? { path, message }
      : { path: "options", message: `line ${Number(line) + 1} ${message}` };
  });
}
