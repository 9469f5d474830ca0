import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import PostalMime from "postal-mime";
import { type Mailbox, openMailbox } from "#e2e/mailbox.ts";
import { freePort } from "#e2e/server.ts";
import { parseSettings, provideSettings } from "#lib/core/env.ts";
import { deliverMail } from "./deliver.ts";

test.describe.configure({ mode: "serial" });

let mailbox: Mailbox;
const before = { SMTP_URL: process.env.SMTP_URL ?? "", MAIL_FROM: process.env.MAIL_FROM ?? "" };

test.beforeAll(async () => {
  mailbox = await openMailbox();
  provideSettings({ SMTP_URL: mailbox.url, MAIL_FROM: "Countersign <hello@countersign.example>" });
});

test.afterAll(async () => {
  provideSettings(before);
  await mailbox.close();
});

const data = {
  workspaceName: "Acme",
  endpointUrl: "https://hooks.example.com/in?a=1&b=2",
  reason: "5 days of failures",
  settingsUrl: "https://countersign.example/settings/webhooks",
};

function mail(to: { address: string; name?: string }, more: Partial<typeof data> = {}) {
  return {
    id: randomUUID(),
    at: "2026-03-01T10:00:00.000Z",
    organizationId: "org_1",
    template: "webhook-disabled",
    to,
    data: { ...data, ...more },
  };
}

async function sent(queued: ReturnType<typeof mail>) {
  const count = mailbox.received.length;
  await deliverMail(queued);
  await mailbox.until(count + 1);
  expect(mailbox.received.length).toBe(count + 1);
  const received = mailbox.received.at(-1)!;
  return { ...received, parsed: await PostalMime.parse(received.raw) };
}

test("an e-mail arrives with its sender, recipient, subject and date, and says everything as text and as HTML", async () => {
  const queued = mail({ address: "olive@acme.example", name: "Olive Owner" });
  const { from, to, parsed } = await sent(queued);
  expect([from, to]).toEqual(["hello@countersign.example", ["olive@acme.example"]]);
  expect(parsed.from).toMatchObject({ name: "Countersign", address: "hello@countersign.example" });
  expect(parsed.to).toMatchObject([{ name: "Olive Owner", address: "olive@acme.example" }]);
  expect(parsed.subject).toBe("A webhook of Acme was disabled");
  expect(new Date(parsed.date!).toISOString()).toBe(queued.at);
  expect(parsed.messageId).toBe(`<${queued.id}@countersign.example>`);
  expect(parsed.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
  for (const part of [data.workspaceName, data.endpointUrl, data.reason, data.settingsUrl]) {
    expect(parsed.text).toContain(part);
    expect(parsed.html).toContain(part.replace("&", "&amp;"));
  }
  expect(parsed.html).toContain(`href="${data.settingsUrl}"`);
});

test("names and texts in any script arrive unchanged", async () => {
  const name = "Zoë Ångström 黄 🖋";
  const workspaceName = `Größe & Söhne, Ελλάδα, 東京, ${"long ".repeat(20)}🏢`;
  const { parsed } = await sent(mail({ address: "zoe@acme.example", name }, { workspaceName }));
  expect(parsed.to).toMatchObject([{ name, address: "zoe@acme.example" }]);
  expect(parsed.subject).toBe(`A webhook of ${workspaceName} was disabled`);
  expect(parsed.text).toContain(workspaceName);
});

test("line breaks and quotes in a name or a text cannot add a header, a recipient or a paragraph", async () => {
  for (const end of ["\r\n", "\n", "\r", "\u2028", "\0", "=0D=0A", "%0d%0a"]) {
    const evil = `Eve${end}Bcc: victim@acme.example${end}${end}Click https://evil.example`;
    const { to, raw, parsed } = await sent(
      mail({ address: "eve@acme.example", name: evil }, { workspaceName: evil, reason: evil }),
    );
    expect(to).toEqual(["eve@acme.example"]);
    expect(parsed.to).toHaveLength(1);
    expect(parsed.bcc ?? []).toEqual([]);
    expect(raw).not.toMatch(/^bcc:/im);
    expect(parsed.text).not.toMatch(/^(Bcc|Click)/m);
  }
  const quoted = `"Eve" <victim@acme.example>, "`;
  const { to, parsed } = await sent(mail({ address: "eve@acme.example", name: quoted }));
  expect(to).toEqual(["eve@acme.example"]);
  expect(parsed.to).toMatchObject([{ address: "eve@acme.example" }]);
});

test("text from users is escaped in the HTML part, and a javascript: URL is left out", async () => {
  const workspaceName = `<img src=x onerror="alert(1)">&amp;'`;
  const settingsUrl = "javascript:alert(1)";
  const { parsed } = await sent(mail({ address: "a@acme.example" }, { workspaceName, settingsUrl }));
  expect(parsed.html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;&#39;");
  expect(parsed.html).not.toContain("<img");
  expect(parsed.html).not.toContain("javascript:");
});

test("a temporary SMTP failure throws, and the retry sends the message with the same Message-ID", async () => {
  const queued = mail({ address: "busy@acme.example" });
  await expect(deliverMail(queued)).rejects.toThrow(/Later, please/);
  const { parsed } = await sent(queued);
  expect(parsed.messageId).toContain(queued.id);
});

test("an e-mail that can never be delivered (rejected or invalid address, invalid data) is not retried", async () => {
  const count = mailbox.received.length;
  await deliverMail(mail({ address: "never@acme.example" }));
  await expect.poll(() => mailbox.attempts).toContain("never@acme.example");
  const attempts = mailbox.attempts.length;
  for (const address of ["a@b, victim@acme.example", "a@b\r\nRCPT TO:<x@y>", "<a@b>", "nobody", ""]) {
    await deliverMail(mail({ address }));
  }
  await deliverMail({ ...mail({ address: "a@acme.example" }), data: {} });
  await deliverMail({ ...mail({ address: "a@acme.example" }), template: "constructor" });
  await deliverMail(null);
  expect(mailbox.attempts.length).toBe(attempts);
  expect(mailbox.received.length).toBe(count);
});

test("an e-mail is retried if the mail server is unreachable or rejects the session", async () => {
  const away = `smtp://127.0.0.1:${await freePort()}`;
  provideSettings({ SMTP_URL: away });
  await expect(deliverMail(mail({ address: "a@acme.example" }))).rejects.toThrow("did not accept it");
  const server = createServer((socket) => socket.end("554 No service for you\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  provideSettings({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await expect(deliverMail(mail({ address: "a@acme.example" }))).rejects.toThrow("did not accept it");
  server.close();
  provideSettings({ SMTP_URL: mailbox.url });
});

test("without SMTP_URL, an e-mail becomes one file that only its owner can read, even if delivered twice", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-outbox-"));
  const dataDir = process.env.DATA_DIR ?? "";
  provideSettings({ SMTP_URL: "", DATA_DIR: folder });
  const queued = mail({ address: "../../etc/passwd@acme.example", name: "../../x" });
  await deliverMail(queued);
  await deliverMail(queued);
  provideSettings({ SMTP_URL: mailbox.url, DATA_DIR: dataDir });
  expect(readdirSync(join(folder, "outbox"))).toEqual([`20260301100000000-${queued.id}.eml`]);
  const path = join(folder, "outbox", `20260301100000000-${queued.id}.eml`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const parsed = await PostalMime.parse(readFileSync(path));
  expect(parsed).toMatchObject({ subject: "A webhook of Acme was disabled", to: [{ name: "../../x" }] });
  rmSync(folder, { recursive: true });
});

test("MAIL_FROM must be a single address, with or without a name", () => {
  for (const MAIL_FROM of ["a@b.example", "A B <a@b.example>", '"A, B" <a@b.example>']) {
    expect(parseSettings({ MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
  }
  for (const MAIL_FROM of ["nobody", "a@b.example, c@d.example", "A <a@b.example>\r\nBcc: x@y.example"]) {
    expect(() => parseSettings({ MAIL_FROM }), MAIL_FROM).toThrow("MAIL_FROM: must be an address");
  }
});
