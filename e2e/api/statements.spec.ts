/** The database cost of a click, in statements, because time differs between machines. */
import { expect, test } from "../fixtures.ts";
import { newMember, openBrowser } from "../members.ts";
import { startServer } from "../server.ts";
import { sent, signerAt } from "../signing.ts";
import { statementsOf, watchDatabase } from "../statements.ts";

test("a signer's click reads their request once, and adopting a signature or signing reads it twice", async ({
  workspace,
}) => {
  const signer = await signerAt(workspace, await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]));
  const { fields } = await signer.agree();
  const [mark, text] = ["SIGNATURE", "TEXT"].map((type) =>
    fields.find((field: { type: string }) => field.type === type),
  );
  const values = [
    { fieldId: mark.id, value: true },
    { fieldId: text.id, value: "Head of purchasing" },
  ];
  const clicks: Parameters<typeof signer.act>[] = [
    ["state"],
    ["document"],
    ["saveValues", { values }],
    ["adoptSignature", { kind: "typed", text: "A. Signer" }],
    ["finish", { values }],
  ];
  const counted: Record<string, { requests: number; statements: number }> = {};
  for (const click of clicks) {
    const statements = await statementsOf(() => signer.act(...click));
    // Each read of a request also loads its fields.
    const requests = statements.filter((text) => /^SELECT.*FROM "public"."signature_fields"/s.test(text));
    counted[click[0]] = { requests: requests.length, statements: statements.length };
  }
  expect(counted).toEqual({
    state: { requests: 1, statements: 13 },
    document: { requests: 1, statements: 11 },
    // Checks once more, under the lock, whether the link is still valid.
    saveValues: { requests: 1, statements: 16 },
    // Drawing a signature is the most expensive step, so the permission is checked before it, and again under the lock.
    adoptSignature: { requests: 2, statements: 23 },
    finish: { requests: 2, statements: 28 },
  });
});

test("loading the contract page runs no query twice, and at most 30", async ({ workspace }) => {
  const { contractId } = await sent(workspace, [{ name: "Ann" }]);
  const watched = await watchDatabase(process.env.DATABASE_URL!);
  const server = await startServer({ DATABASE_URL: watched.url, WORKER: "off" });
  try {
    const { email, password } = await newMember(workspace, "member");
    const browser = openBrowser(server.url);
    await browser.signIn(email, password);
    const load = async () => (await browser.get(`/contracts/${contractId}`)).text();
    // What is only written once a minute, such as who was here, has been written by then.
    await load();
    watched.asked.length = 0;
    expect(await load()).toContain("Master services agreement");
    // The server itself reads the time every ten seconds, and the first load's writes may end only now.
    const asked = watched.asked.filter(
      ({ text }) => /^\s*(SELECT|WITH)\b/.test(text) && !text.includes("clock_timestamp"),
    );
    const seen = new Set<string>();
    const again = asked.filter(({ text, values }) => seen.size === seen.add(`${text} ${values}`).size);
    expect(again.map(({ text }) => text)).toEqual([]);
    expect(asked.length, asked.map(({ text }) => text).join("\n")).toBeLessThanOrEqual(30);
  } finally {
    await server.stop();
    watched.close();
  }
});
