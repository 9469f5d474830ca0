/** Pages that fill from the top: paragraphs, facts and tables that continue across pages. */
import { PageSizes, type PDFDocument, type PDFPage } from "#lib/documents/pdf/pdf-lib.ts";
import { formatNumber, layoutLine, metrics, type Style, type Typesetter } from "./fonts.ts";
import { wrapText } from "./line-breaks.ts";

export interface TextStyle {
  size: number;
  style?: Style;
  color?: Color;
}

type Color = "text" | "muted" | "accent";

const colors: Record<Color, string> = {
  text: "0.12 0.13 0.16",
  muted: "0.42 0.44 0.5",
  accent: "0.11 0.27 0.53",
};
const hairline = "0.82 0.84 0.88 RG 0.5 w";

export interface Column {
  title: string;
  /** Of the sheet's width; all shares add up to 1. */
  share: number;
}

export type Fact = [name: string, value: string | null];

const factSize = 8.5;
const factGap = 2;
const margin = { side: 50, top: 54, bottom: 60 };
const gutter = 10;

export class Sheet {
  readonly #pdf: PDFDocument;
  readonly #type: Typesetter;
  readonly #pages: { page: PDFPage; operators: string[] }[] = [];
  readonly #size: [number, number];
  readonly width: number;
  /** The top of the next line. */
  y = 0;

  constructor(pdf: PDFDocument, type: Typesetter, size: [number, number] = PageSizes.A4) {
    this.#pdf = pdf;
    this.#type = type;
    this.#size = size;
    this.width = size[0] - 2 * margin.side;
    this.startPage();
  }

  get page(): PDFPage {
    return this.#pages.at(-1)!.page;
  }

  /** Starts a new page. */
  startPage(): void {
    this.#pages.push({ page: this.#pdf.addPage(this.#size), operators: [] });
    this.y = this.#size[1] - margin.top;
  }

  /** Starts a new page unless this much room is left on the current one. Returns whether it did. */
  ensureRoom(height: number): boolean {
    if (this.y - height >= margin.bottom) return false;
    this.startPage();
    return true;
  }

  skip(height: number): void {
    this.y -= height;
  }

  draw(operators: string): void {
    this.#pages.at(-1)!.operators.push(operators);
  }

  /** One line, its top at `top`. */
  line(text: string, x: number, top: number, { size, style, color = "text" }: TextStyle): void {
    const line = layoutLine(text, style);
    const place = { x: margin.side + x, y: top - metrics.ascent * size, size };
    this.draw(`${colors[color]} rg\n${this.#type.show(this.page, line, place)}`);
  }

  paragraph(text: string, look: TextStyle, at: { x?: number; width?: number } = {}): void {
    const { x = 0, width = this.width - x } = at;
    const height = look.size * metrics.lineHeight;
    for (const line of wrapText(text, width / look.size, look.style)) {
      this.ensureRoom(height);
      this.line(line.text, x, this.y, look);
      this.y -= height;
    }
  }

  rule(): void {
    const [from, to] = [margin.side, margin.side + this.width];
    this.draw(
      `${hairline} ${formatNumber(from)} ${formatNumber(this.y)} m ${formatNumber(to)} ${formatNumber(this.y)} l S`,
    );
  }

  heading(text: string): void {
    this.ensureRoom(70);
    this.skip(16);
    this.line(text, 0, this.y, { size: 11.5, style: "bold", color: "accent" });
    this.skip(18);
    this.rule();
    this.skip(7);
  }

  /** Names with their values beside them; a row without a value is left out. */
  facts(rows: Fact[], { width = this.width, nameWidth = 120 } = {}): void {
    const height = factSize * metrics.lineHeight;
    for (const [name, value] of rows) {
      if (value === null) continue;
      wrapText(value, (width - nameWidth) / factSize).forEach((line, at) => {
        this.ensureRoom(height);
        if (at === 0) this.line(name, 0, this.y, { size: factSize, color: "muted" });
        this.line(line.text, nameWidth, this.y, { size: factSize });
        this.y -= height;
      });
      this.skip(factGap);
    }
  }

  factsHeight(rows: Fact[], { width = this.width, nameWidth = 120 } = {}): number {
    const values = rows.flatMap(([, value]) => (value === null ? [] : [value]));
    const lines = values.flatMap((value) => wrapText(value, (width - nameWidth) / factSize));
    return lines.length * factSize * metrics.lineHeight + values.length * factGap;
  }

  /** The header row is repeated on every page that the table continues on. */
  table(columns: Column[], rows: string[][]): void {
    const size = 7.5;
    const height = size * metrics.lineHeight;
    this.#heads(columns);
    for (const row of rows) {
      const cells = row.map((cell, at) => wrapText(cell, (columns[at]!.share * this.width - gutter) / size));
      const rowHeight = Math.max(...cells.map((lines) => lines.length)) * height + 5;
      if (this.ensureRoom(rowHeight)) this.#heads(columns);
      const top = this.y - 2;
      let x = 0;
      cells.forEach((lines, at) => {
        lines.forEach((line, index) => {
          this.line(line.text, x, top - index * height, { size, color: at === 0 ? "muted" : "text" });
        });
        x += columns[at]!.share * this.width;
      });
      this.y -= rowHeight;
      this.rule();
    }
  }

  #heads(columns: Column[]): void {
    this.ensureRoom(40);
    let x = 0;
    for (const { title, share } of columns) {
      this.line(title, x, this.y, { size: 7.5, style: "bold", color: "muted" });
      x += share * this.width;
    }
    this.skip(13);
    this.rule();
  }

  /** The left edge in the page's own space. */
  left(x: number): number {
    return margin.side + x;
  }

  /** Adds a footer to every page, and writes the pages' content. Returns the number of pages. */
  finish(foot: string, numbered: (page: number, of: number) => string): number {
    const look: TextStyle = { size: 7, color: "muted" };
    this.#pages.forEach(({ page, operators }, at) => {
      const right = numbered(at + 1, this.#pages.length);
      const [first, last] = [layoutLine(foot), layoutLine(right)];
      const size = Math.min(look.size, (this.width - last.width * look.size - 20) / Math.max(first.width, 1));
      const y = margin.bottom - 26;
      operators.push(
        `${colors.muted} rg`,
        this.#type.show(page, first, { x: margin.side, y, size }),
        this.#type.show(page, last, {
          x: margin.side + this.width - last.width * look.size,
          y,
          size: look.size,
        }),
      );
      const stream = this.#pdf.context.flateStream(operators.join("\n"));
      page.node.addContentStream(this.#pdf.context.register(stream));
    });
    return this.#pages.length;
  }
}
