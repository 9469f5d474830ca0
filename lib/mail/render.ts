/** Renders the content of an e-mail as plain text and as HTML. */
import { escapeHtml } from "#lib/core/wire.ts";
import type { EmailContent, EmailSection } from "./content.ts";

export interface Message {
  subject: string;
  text: string;
  html: string;
  attachments?: { filename: string; content: string; contentType: string }[];
  headers?: Record<string, string>;
}

export function renderEmail(content: EmailContent): Message {
  const {
    subject,
    paragraphs,
    sections = [],
    closing = [],
    action,
    footnotes = [],
    links = [],
    contact,
  } = content;
  const url = action ? safe(action.url) : "";
  const doing = action ? [`${action.label}:\n${url}`] : [];
  const asking = contact ? [`${contact.about} Write to ${contact.name}: ${contact.email}`] : [];
  const leading = links.map((link) => `${link.label}: ${safe(link.url)}`);
  const text = [
    ...paragraphs,
    ...sections.map(sectionText),
    ...closing,
    ...doing,
    ...footnotes,
    ...leading,
    ...asking,
  ].join("\n\n");
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f5f5f4;font:16px/1.5 system-ui,sans-serif;color:#1c1917">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">
${paragraphs.map(paragraph).join("\n")}
${sections.map(sectionHtml).join("\n")}
${closing.map(paragraph).join("\n")}
${action ? `<p style="margin:24px 0 0"><a href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(action.label)}</a></p>` : ""}
${footnotes.map((note) => `<p style="${footnoteStyle}">${escapeHtml(note)}</p>`).join("\n")}
${links.length > 0 ? `<p style="${footnoteStyle}">${links.map(quietLink).join(" · ")}</p>` : ""}
${contact ? contactLine(contact) : ""}
</div>
</body>
</html>
`;
  return { subject, text: `${text}\n`, html, ...(content.headers ? { headers: content.headers } : {}) };
}

/** Links must lead to the web: any other URL becomes empty. */
const safe = (url: string) => (/^https?:\/\//.test(url) ? url : "");

const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;overflow-wrap:anywhere">${escapeHtml(text)}</p>`;

function sectionText({ title, lines, more }: EmailSection): string {
  const all = lines.map(({ what, detail, url }) => `- ${what}\n  ${detail}\n  ${safe(url)}`);
  return [title, ...all, ...(more ? [`- ${more}`] : [])].join("\n");
}

function sectionHtml({ title, lines, more }: EmailSection): string {
  const items = lines.map(
    ({ what, detail, url }) =>
      `<li style="margin:0 0 8px;overflow-wrap:anywhere"><a href="${escapeHtml(safe(url))}" style="color:#1c1917;font-weight:600">${escapeHtml(what)}</a><br><span style="font-size:14px;color:#57534e">${escapeHtml(detail)}</span></li>`,
  );
  const rest = more ? `<li style="font-size:14px;color:#57534e">${escapeHtml(more)}</li>` : "";
  return `<h2 style="margin:24px 0 8px;font-size:16px">${escapeHtml(title)}</h2>
<ul style="margin:0 0 16px;padding-left:20px">${items.join("")}${rest}</ul>`;
}

const quietLink = ({ label, url }: { label: string; url: string }) =>
  `<a href="${escapeHtml(safe(url))}" style="color:inherit">${escapeHtml(label)}</a>`;

function contactLine({ about, name, email }: NonNullable<EmailContent["contact"]>): string {
  const link = `<a href="mailto:${escapeHtml(encodeURIComponent(email).replace("%40", "@"))}" style="color:inherit">${escapeHtml(email)}</a>`;
  return `<p style="${footnoteStyle}">${escapeHtml(`${about} Write to ${name}:`)} ${link}</p>`;
}

const footnoteStyle = "margin:24px 0 0;font-size:14px;color:#57534e;overflow-wrap:anywhere";
const buttonStyle =
  "display:inline-block;padding:10px 18px;background:#1c1917;color:#fff;border-radius:8px;text-decoration:none";
