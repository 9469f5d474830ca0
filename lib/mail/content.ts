/** The content of an e-mail before it is rendered. */

/** Paragraphs and at most one action. All texts are plain text; rendering escapes them. */
export interface EmailContent {
  subject: string;
  paragraphs: string[];
  /** Lists in which each line has its own link. */
  sections?: EmailSection[];
  /** Paragraphs after the sections. */
  closing?: string[];
  action?: { label: string; url: string };
  /** Small paragraphs after the action. */
  footnotes?: string[];
  /** Small links after the footnotes. */
  links?: { label: string; url: string }[];
  /** Headers of the message, for mail programs. */
  headers?: Record<string, string>;
  /** Whom to write to, as a link in a footnote. Omitted if that is the recipient. */
  contact?: { about: string; name: string; email: string } | undefined;
}

export interface EmailSection {
  title: string;
  lines: { what: string; detail: string; url: string }[];
  more: string | null;
}

/**
 * Makes a text that others wrote safe to use in a sentence, in one line of at most 200 characters: a workspace's name
 * must not be able to add a paragraph, a heading, or text that runs backwards.
 */
export const quoted = (text: string) => {
  const line = text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line;
};

/** Splits a text of several lines that someone wrote to the reader into paragraphs. */
export const paragraphsOf = (text: string) =>
  text
    .replace(/[^\S\n]|[\u202A-\u202E\u2066-\u2069]/gu, " ")
    .split(/\n+/)
    .map((paragraph) => paragraph.replace(/\p{Cc}/gu, "").trim())
    .filter(Boolean);
