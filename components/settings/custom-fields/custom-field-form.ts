import { z } from "zod";
import { customFieldTypes } from "#lib/custom-fields/catalogue.ts";
import { NewCustomField } from "#lib/custom-fields/schema.ts";

const { name, key } = NewCustomField.shape;

/** The form's values, with one option per line. */
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

/**
 * Moves errors about single options to the form's field for all options, and says which line is wrong. `text`
 * is the field's content: blank lines are not options, but they count as lines.
 */
export function issuesInForm(issues: readonly { path: string; message: string }[], text: string) {
  const lines = text.split("\n").flatMap((line, above) => (line.trim() ? [above + 1] : []));
  return issues.map(({ path, message }) => {
    const [, index] = /^options\.(\d+)$/.exec(path) ?? [];
    return index === undefined
      ? { path, message }
      : { path: "options", message: `line ${lines[Number(index)]} ${message}` };
  });
}
