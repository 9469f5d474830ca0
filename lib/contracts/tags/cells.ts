/** Tags in one cell of a table, as exports write them and imports read them: with semicolons between them. */
import { parse } from "csv-parse/sync";

/** A tag that has a semicolon or quotation marks itself stands in quotation marks, as a cell of a CSV does. */
export const cellOfTags = (tags: string[]) =>
  tags.map((tag) => (/[;"]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join("; ");

/** The tags of a cell; the cell itself where its quotation marks do not match, or it has several lines. */
export function tagsOfCell(cell: string): string[] | string {
  try {
    const [tags = [], ...more] = parse(cell, { delimiter: ";", trim: true }) as string[][];
    return more.length > 0 ? cell : tags.filter((tag) => tag !== "");
  } catch {
    return cell;
  }
}
