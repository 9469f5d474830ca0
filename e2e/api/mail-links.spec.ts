/** Every link in every mail leads to a page, for everyone who receives the mail. */
import { randomUUID } from "node:crypto";
import type { Email } from "postal-mime";
import { signCheckpointOf } from "#lib/checkpoints/sign.ts";
import { storeCheckpoint } from "#lib/checkpoints/store.ts";
import { systemContext } from "#lib/core/context.ts";
import { database } from "#lib/core/db.ts";
import type { templates } from "#lib/mail/templates.ts";
import { setRole } from "#lib/people/members/members.ts";
import { expireRequest } from "#lib/signatures/daily.ts";
import { disableFailing } from "#lib/webhooks/disable.ts";
import { expect, test } from "../fixtures.ts";
import { type Browser, openBrowser, signedInByPassword } from "../members.ts";
import { mailsTo } from "../outbox.ts";
import { startServer } from "../server.ts";
import { asMember, memberOf, sent, signerAt } from "../signing.ts";

test.setTimeout(300_000);

const address = () => `${randomUUID()}@test.example`;
const dayMs = 24 * 60 * 60 * 1000;

/** Notices require a mail server: e2e/api/notifications.spec.ts follows their links. */
type Template = Exclude<keyof typeof templates, "notice">;

/** How the subject of each template's mail begins. */
const subjects: Record<Template, RegExp> = {
  invitation: /^You are invited/,
  "admin-by-key": /^An API key invited/,
  "password-reset": /^Reset your Countersign/,
  "password-changed": /^Your Countersign password/,
  "sign-up": /^Confirm your address/,
  "sign-up-known": /^You already have a Countersign account/,
  "webhook-disabled": /^A webhook of/,
  "audit-checkpoint": /^Checkpoint of the audit log/,
  "audit-broken": /^The audit log of .* failed verification/,
  "signing-request": /^Please sign/,
  "signing-link-copied": /^Your link to sign .* was copied/,
  "signing-code": /is your code/,
  "signing-declined": /declined to sign/,
  "signing-voided": /^No signature is needed/,
  "signing-expired": /^The deadline to sign/,
  "signing-delegated": /will sign .* instead of/,
  "signing-completed": /^Signed by everyone/,
};

/** Codes are typed in, a voided request has nothing to show, and the others only inform. */
const withoutLinks = new Set([
  ...["signing-code", "signing-voided", "signing-link-copied", "audit-checkpoint", "audit-broken"],
]);

const endpointUrl = "https://hooks.example.com/";

async function follow(browser: Browser, mail: Email, template: Template): Promise<void> {
  const addresses = (mail.text ?? "").match(/https?:\/\/\S+/g) ?? [];
  // The address of an endpoint is mentioned as text, not as a link.
  const links = [...new Set(addresses)].filter((address) => !address.startsWith(endpointUrl));
  const inHtml = [...(mail.html ?? "").matchAll(/href="(https?:[^"]+)"/g)].map(([, url]) => url);
  expect(links.length, template).toBe(withoutLinks.has(template) ? 0 : 1);
  expect(inHtml, template).toEqual(links);
  for (const link of links) {
    expect(link).toContain(process.env.BASE_URL!);
    const reply = await browser.get(new URL(link).pathname);
    expect(reply.status, `${template}: ${link}`).toBe(200);
  }
}

test("every link in every e-mail opens a page", async ({ workspace }) => {
  const owner = await signedInByPassword(workspace, "owner");
  const guest = openBrowser();
  const mails = new Map<Template, Email>();
  const take = async (to: string, ...wanted: Template[]) => {
    for (const template of wanted) {
      const find = async () =>
        (await mailsTo(to).catch(() => [])).find(({ subject }) => subjects[template].test(subject ?? ""));
      await expect.poll(find, { message: template, timeout: 60_000 }).toBeDefined();
      mails.set(template, (await find())!);
    }
  };

  await test.step("account e-mails", async () => {
    const [invited, signingUp] = [address(), address()];
    await workspace.api("POST /members/invitations", { body: { email: invited, role: "admin" } });
    await take(invited, "invitation");
    await take(owner.email, "admin-by-key");
    const member = await signedInByPassword(workspace, "member");
    await guest.call("account.requestPasswordReset", { email: member.email });
    await take(member.email, "password-reset");
    const change = { currentPassword: owner.password, newPassword: "another battery" };
    expect((await owner.call("profile.changePassword", change)).status).toBe(204);
    await take(owner.email, "password-changed");
    const server = await startServer({
      ...{ SMTP_URL: "smtp://127.0.0.1:9", WORKER: "off", SIGN_UP: "open" },
      BASE_URL: process.env.BASE_URL!,
    });
    try {
      const asking = (email: string) =>
        fetch(`${server.url}/api/member/account.signUp`, {
          method: "POST",
          headers: { "content-type": "application/json", origin: process.env.BASE_URL! },
          body: JSON.stringify({ name: "Nia", email, workspaceName: "Newco" }),
        });
      expect((await asking(signingUp)).status).toBe(200);
      expect((await asking(member.email)).status).toBe(200);
    } finally {
      await server.stop();
    }
    await take(signingUp, "sign-up");
    await take(member.email, "sign-up-known");
  });
  await test.step("webhook e-mails", async () => {
    const body = { url: endpointUrl };
    const { endpoint } = (await workspace.api("POST /webhook-endpoints", { body })).body;
    await disableFailing(workspace.ctx, endpoint.id, 5);
    await take(owner.email, "webhook-disabled");
  });
  await test.step("audit log e-mails", async () => {
    const ctx = systemContext(workspace.organizationId, "checkpoint");
    await signCheckpointOf(ctx);
    const last = { organizationId: workspace.organizationId, seq: "9".repeat(19), id: "chk_0" };
    await storeCheckpoint(last, "no checkpoint");
    await signCheckpointOf(ctx);
    await take(owner.email, "audit-checkpoint", "audit-broken");
  });
  await test.step("signature request e-mails", async () => {
    const ctx = memberOf(workspace);
    const { email } = await database().prisma.user.findUniqueOrThrow({ where: { id: workspace.ownerId } });
    const people = () => [{ name: "Ann", email: address(), codeRequired: true }];
    const plain = () => [{ name: "Ann", email: address() }];
    const [coded, declined, voided] = [people(), plain(), plain()];
    const withCode = await sent(workspace, coded);
    await (await signerAt(workspace, withCode)).act("requestCode");
    await take(coded[0]!.email, "signing-request", "signing-code");
    const copied = plain();
    const open = await sent(workspace, copied);
    await asMember(ctx, "copyLink", { envelopeId: open.id, signerId: open.signers[0].id });
    await take(copied[0]!.email, "signing-link-copied");
    await (await signerAt(workspace, await sent(workspace, declined))).act("decline", { reason: "No" });
    const called = await sent(workspace, voided);
    await asMember(ctx, "void", { envelopeId: called.id, reason: "Sent by mistake" });
    await take(voided[0]!.email, "signing-voided");
    const deadline = new Date(Date.now() + dayMs).toISOString();
    const expiring = await sent(workspace, plain(), { deadline });
    const late = systemContext(workspace.organizationId, "calendar", new Date(Date.now() + 2 * dayMs));
    await expireRequest(late, expiring.id);
    const delegate = { name: "Cleo", email: address() };
    await (await signerAt(workspace, await sent(workspace, plain()))).act("delegate", delegate);
    const signing = plain();
    await (await signerAt(workspace, await sent(workspace, signing))).sign();
    await take(signing[0]!.email, "signing-completed");
    await take(email, "signing-declined", "signing-expired", "signing-delegated");
  });

  expect([...mails.keys()].sort(), "a new mail is followed here too").toEqual(Object.keys(subjects).sort());
  for (const [template, mail] of mails) {
    await test.step(template, () => follow(withoutSession.has(template) ? guest : owner, mail, template));
  }
});

/** Mails whose links are opened by someone who is not signed in. */
const withoutSession = new Set([
  ...["invitation", "password-reset", "password-changed", "sign-up", "sign-up-known"],
  ...["signing-request", "signing-voided", "signing-completed"],
]);

test("owners, and no admins, are e-mailed when an API key, but not a person, invites or promotes an admin", async ({
  workspace,
}) => {
  const owner = await signedInByPassword(workspace, "owner");
  const [admin, member] = [
    await signedInByPassword(workspace, "admin"),
    await signedInByPassword(workspace, "member"),
  ];
  const invited = address();
  await workspace.api("POST /members/invitations", { body: { email: invited, role: "admin" } });
  await workspace.api("POST /members/invitations", { body: { email: address(), role: "member" } });
  await workspace.api(`PATCH /members/${member.memberId}`, { body: { role: "admin" } });
  const told = await mailsTo(owner.email, 2);
  expect(told.map(({ subject }) => subject).sort()).toEqual([
    "An API key invited an admin to Test workspace",
    "An API key made someone an admin of Test workspace",
  ]);
  const text = told.map((mail) => mail.text).join();
  for (const part of [invited, member.email, "Test full_access", "/settings/members"]) {
    expect(text).toContain(part);
  }
  // Changes by a person are not reported to the owners; the mail to `last` is queued after any such mail.
  await setRole(memberOf(workspace), { memberId: member.memberId, role: "member" });
  await admin.call("members.setRole", { memberId: member.memberId, role: "admin" });
  await owner.call("invitations.create", { email: owner.email.replace("owner", "last"), role: "admin" });
  await mailsTo(owner.email.replace("owner", "last"));
  expect(await mailsTo(owner.email, 2)).toHaveLength(2);
  for (const { email } of [admin, member]) expect(await mailsTo(email, 0), "no one else's").toEqual([]);
});
