/** Tags in one table cell, as exports write them and imports read them: separated by semicolons. */
import { parse } from "csv-parse/sync";

/** Quotes tags that contain semicolons or quotation marks, as CSV quotes cells. */
export const cellOfTags = (tags: string[]) =>
  tags.map((tag) => (/[;"]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join("; ");

/** The tags of a cell; the cell itself if its quotation marks do not match or it spans several lines. */
export function tagsOfCell(cell: string): string[] | string {
  try {
    const [tags = [], ...more] = parse(cell, { delimiter: ";", trim: true }) as string[][];
    return more.length > 0 ? cell : tags.filter((tag) => tag !== "");
  } catch {
    return cell;
  }
}
