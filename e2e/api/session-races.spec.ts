/** Sign-ins that are in progress while the password changes. */
import { database } from "#lib/core/db.ts";
import { newId } from "#lib/core/ids.ts";
import { signIn } from "#lib/people/accounts/sign-in.ts";
import { claimAccount, endAccess, expectPassword } from "#lib/people/users/access.ts";
import { hashPassword } from "#lib/people/users/passwords.ts";
import { expect, test } from "../fixtures.ts";
import { newMember } from "../members.ts";

const now = new Date();
const patient = { timeout: 30_000 };
const aMoment = () => new Promise((done) => setTimeout(done, 2_000));

const alive = (userId: string) => database().prisma.session.count({ where: { userId, revokedAt: null } });

test("signing in with the old password while it is being changed opens no session", async ({ workspace }) => {
  const { userId: id, email, password } = await newMember(workspace, "member");
  const passwordHash = await hashPassword("another battery");
  let signingIn: Promise<unknown> | undefined;
  await database().prisma.$transaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { passwordHash } });
    await endAccess(tx, { id, email }, now);
    const visit = { requestId: null, ip: null, userAgent: null, now };
    signingIn = signIn({ email, password }, visit).catch((error) => error.code);
    await Promise.race([signingIn, aMoment()]);
  }, patient);
  expect(await signingIn).toBe("forbidden");
  expect(await alive(id)).toBe(0);
});

test("a session being opened ends when its account is taken over by the owner of its address", async ({
  workspace,
}) => {
  const { userId: id, email } = await newMember(workspace, "member");
  const { prisma } = database();
  const { passwordHash } = await prisma.user.findUniqueOrThrow({ where: { id } });
  const expiresAt = new Date(now.getTime() + 3_600_000);
  let handingOver: Promise<unknown> | undefined;
  await prisma.$transaction(async (tx) => {
    await expectPassword(tx, { id, passwordHash: passwordHash! });
    const data = { id: newId("session"), userId: id, createdAt: now, lastSeenAt: now, expiresAt };
    await tx.session.create({ data });
    const claim = { passwordHash: null, now };
    handingOver = prisma.$transaction((other) => claimAccount(other, { id, email }, claim), patient);
    await aMoment();
  }, patient);
  await handingOver;
  expect(await alive(id)).toBe(0);
});
