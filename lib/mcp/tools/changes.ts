/** What a tool changed, and how to undo it. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { clip, estimateTokens } from "../answers/budget.ts";
import { counted } from "../answers/words.ts";

const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

export const Change = z.object({ field: z.string(), from: value, to: value });
export type Change = z.output<typeof Change>;

/** `how` explains the undo for people. `tool` performs it with these arguments; null if no tool can. */
export const Undo = z.object({
  how: z.string(),
  tool: z.string().nullable(),
  arguments: z.record(z.string(), z.union([value, z.record(z.string(), value)])).nullable(),
});
export type Undo = z.output<typeof Undo>;

/** Returns those of `fields` whose values differ. */
export function changesBetween(before: object, after: object, fields: readonly string[]): Change[] {
  const [from, to] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  const changed = fields.filter((field) => !isDeepStrictEqual(from[field], to[field]));
  const most = Math.min(500, Math.max(60, Math.floor(2_000 / changed.length)));
  return changed.map((field) => ({ field, from: plain(from[field], most), to: plain(to[field], most) }));
}

/** Cuts long texts: the more fields changed, the shorter. */
const plain = (value: unknown, most: number) =>
  (typeof value === "string" ? clip(value, most) : (value ?? null)) as Change["from"];

/** The most tokens of an undo that repeats the previous values. */
const maxUndoTokens = 1_500;

/** Returns the tool call that restores these values, or no call if they are too long to repeat. */
export function undoBy(tool: string, how: string, values: Record<string, unknown>): Undo {
  if (estimateTokens(JSON.stringify(values)) <= maxUndoTokens) {
    return { how, tool, arguments: values as Undo["arguments"] };
  }
  const why = "What was there before is too long to repeat here. The web app's audit log tells how it began.";
  return { how: why, tool: null, arguments: null };
}

const shown = (value: unknown) =>
  value === null || (Array.isArray(value) && value.length === 0)
    ? "empty"
    : typeof value === "string"
      ? clip(value, 200)
      : Array.isArray(value)
        ? value.join(", ")
        : String(value);

export const changeInWords = ({ field, from, to }: Change) => `${field} from ${shown(from)} to ${shown(to)}`;

/** `others` is the number of further changes, which did not fit. */
export function changesInWords(changes: readonly Change[], others = 0): string {
  if (changes.length === 0) return "Nothing changed: it was like this before.";
  const more = others > 0 ? `; and ${counted(others, "more field")}, which the web app shows` : "";
  return `Changed: ${changes.map(changeInWords).join("; ")}${more}.`;
}

const isPlain = (value: unknown) => Object(value) !== value || Array.isArray(value);

export function undoInWords(undo: Undo | null): string {
  if (!undo) return "";
  if (!undo.tool) return `To undo: ${undo.how}`;
  const called = Object.entries(undo.arguments ?? {}).map(
    ([name, value]) => `${name}: ${isPlain(value) ? shown(value) : JSON.stringify(value)}`,
  );
  return `To undo: ${undo.how} ${undo.tool} with ${called.join(", ")}.`;
}
