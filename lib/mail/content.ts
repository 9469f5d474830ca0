/** The content of an e-mail before it is rendered. */

/** Paragraphs, and at most one action. All of it is plain text; rendering escapes it. */
export interface EmailContent {
  subject: string;
  paragraphs: string[];
  /** Lists, each line with a link of its own. */
  sections?: EmailSection[];
  /** Paragraphs after them. */
  closing?: string[];
  action?: { label: string; url: string };
  /** After the action, small. */
  footnotes?: string[];
  /** Last, small. */
  links?: { label: string; url: string }[];
  /** Of the message, for mail programs. */
  headers?: Record<string, string>;
  /** Whom to write to, as a link in a footnote. No one is told to write to themselves. */
  contact?: { about: string; name: string; email: string } | undefined;
}

export interface EmailSection {
  title: string;
  lines: { what: string; detail: string; url: string }[];
  more: string | null;
}

/**
 * A text that others wrote, fit to stand in a sentence: a workspace's name must not be able to add a
 * paragraph, a heading, or text that runs backwards.
 */
export const quoted = (text: string) => {
  const line = text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line;
};

/** A text of several lines that someone wrote to the reader: its paragraphs. */
export const paragraphsOf = (text: string) =>
  text
    .replace(/[^\S\n]|[\u202A-\u202E\u2066-\u2069]/gu, " ")
    .split(/\n+/)
    .map((paragraph) => paragraph.replace(/\p{Cc}/gu, "").trim())
    .filter(Boolean);
