/** Searches a document of which only a few pages are drawn. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useState } from "react";

export interface Found {
  /** The page of each match, in order; a page with three matches appears three times. */
  pages: number[];
  isSearching: boolean;
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase();

/** Searches the document for a word or a phrase, page by page. */
export function useSearch(document: PDFDocumentProxy | null, words: string): Found {
  const [found, setFound] = useState<Found>({ pages: [], isSearching: false });
  const wanted = plain(words.trim());
  useEffect(() => {
    if (!document || wanted.length < 2) {
      setFound({ pages: [], isSearching: false });
      return;
    }
    let isWanted = true;
    const search = async () => {
      const pages: number[] = [];
      for (let number = 1; number <= document.numPages && isWanted; number++) {
        const text = plain(await textOf(document, number));
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          pages.push(number);
        }
      }
      if (isWanted) setFound({ pages, isSearching: false });
    };
    setFound({ pages: [], isSearching: true });
    void search().catch(() => isWanted && setFound({ pages: [], isSearching: false }));
    return () => {
      isWanted = false;
    };
  }, [document, wanted]);
  return found;
}

async function textOf(document: PDFDocumentProxy, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const parts = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? " " : "") : ""));
  return parts.join("").replace(/\s+/g, " ");
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Marks words and phrases in a piece of a page's text. Returns HTML, in which the text is escaped. */
export function withMarks(text: string, words: readonly string[]): string {
  const wanted = words.map((word) => word.trim()).filter((word) => word.length > 1);
  if (wanted.length === 0) return escaped(text);
  // If several begin at the same place, match the longest.
  const pattern = new RegExp(
    wanted
      .sort((a, b) => b.length - a.length)
      .map(literally)
      .join("|"),
    "gi",
  );
  let end = 0;
  let markup = "";
  for (const { index, 0: match } of text.matchAll(pattern)) {
    markup += `${escaped(text.slice(end, index))}<mark>${escaped(match)}</mark>`;
    end = index + match.length;
  }
  return markup + escaped(text.slice(end));
}
