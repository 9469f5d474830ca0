/**
 * No request keeps the server's single thread busy for long, whatever it contains. Measured from outside: how much
 * processor time the thread uses while a trivial request waits for its response.
 */
import { Agent, request } from "node:http";
import { expect, test } from "../fixtures.ts";
import { png } from "../sealing.ts";
import { type RunningServer, startServer } from "../server.ts";
import { linkOf, sent, signerAt } from "../signing.ts";
import { mainThreadMs } from "./processes.ts";

const longestMs = 100;

let server: RunningServer;

test.beforeAll(async () => {
  const { DATABASE_URL = "", DATA_DIR = "" } = process.env;
  server = await startServer({ DATABASE_URL, DATA_DIR, WORKER: "off", RATE_LIMIT_PER_MINUTE: "0" });
});

test.afterAll(async () => void (await server?.stop()));

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function knock(): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = request(`${server.url}/livez`, { agent }, (response) =>
      response.resume().once("end", resolve),
    );
    asking.once("error", reject);
    asking.end();
  });
}

/** Returns the most processor time that the server's thread used during one waiting request, while `work` runs. */
async function longestPiece(work: () => Promise<unknown>): Promise<number> {
  const pid = server.process.pid!;
  let longest = 0;
  let over = false;
  const looking = (async () => {
    do {
      const before = await mainThreadMs(pid);
      await knock();
      longest = Math.max(longest, (await mainThreadMs(pid)) - before);
    } while (!over);
  })();
  await work().finally(() => {
    over = true;
  });
  await looking;
  return longest;
}

/** Takes the least of three runs, which excludes garbage collection and first-time compilation. */
async function expectShort(name: string, work: () => Promise<unknown>): Promise<void> {
  await work();
  const pieces: number[] = [];
  for (let count = 0; count < 3; count++) pieces.push(await longestPiece(work));
  const least = Math.min(...pieces);
  test.info().annotations.push({ type: name, description: `${Math.round(least)} ms` });
  expect(least, `${name}: ${pieces.map(Math.round).join(", ")} ms`).toBeLessThan(longestMs);
}

const mebibyte = (piece: string) => piece.repeat(Math.floor((1024 * 1024 - 100) / piece.length));

test("expensive requests from signers never occupy the main thread for 100 ms", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  await (await signerAt(workspace, envelope)).agree();
  const post = async (name: string, body: string, more: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}/api/sign/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url, ...more },
      body,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const token = (await linkOf(workspace, envelope)).split("/").at(-1);
  const opened = await post("open", JSON.stringify({ token }));
  expect(opened.status, opened.text).toBe(200);
  const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
  const signer = { cookie, "x-signer-id": envelope.signers[0].id };
  const black = png(2000, 1000, Buffer.alloc(2000 * 1000 * 4, 255).fill(Buffer.from([0, 0, 0, 255])));
  const image = black.toString("base64");
  await expectShort("an image of two million pixels", async () => {
    const { status, text } = await post("adoptSignature", JSON.stringify({ kind: "drawn", image }), signer);
    expect(status, text).toBe(200);
  });
  for (const [what, body, answers] of [
    ["values that are none", `{"values":[${mebibyte("0,")}0]}`, 422],
    ["values without end", `{"values":[${mebibyte('{"fieldId":"x","value":null},')}null]}`, 422],
    ["a nested list", `{"values":${"[".repeat(500_000)}${"]".repeat(500_000)}}`, 422],
    ["an image that is no base64", `{"kind":"drawn","image":"${mebibyte("AAAA")}!"}`, 422],
  ] as const) {
    await expectShort(what, async () => {
      const name = body.includes("image") ? "adoptSignature" : "saveValues";
      expect((await post(name, body, signer)).status).toBe(answers);
    });
  }
  await expectShort("typed signatures in every script, none of them typed before", async () => {
    // The first request also reads fonts; each request asks for letters that were not used before.
    for (const from of [0x4e00, 0x8000, 0xac00, 0xc000, 0x3041, 0x628, 0x5d0, 0x391, 0x41]) {
      const start = from + Math.floor(Math.random() * 10);
      const text = String.fromCodePoint(...Array.from({ length: 15 }, (_, at) => start + at)).repeat(6);
      const { status } = await post("previewSignature", JSON.stringify({ text, as: "signature" }), signer);
      expect(status).toBe(200);
    }
  });
  await expectShort("a body without a cookie", async () => {
    expect((await post("saveValues", `{"values":[${mebibyte("0,")}0]}`)).status).toBe(403);
  });
});

test("a body with 90,000 unknown keys is refused without occupying the main thread for 100 ms", async ({
  workspace,
}) => {
  const names = Array.from({ length: 90_000 }, (_, at) => `"${at.toString(36)}":0`).join();
  const doors: [string, Record<string, string>, string][] = [
    ["/api/v1/contracts", { "x-api-key": workspace.key }, `{${names}}`],
    ["/api/v1/counterparties", { "x-api-key": workspace.key }, `{${names}}`],
    ["/api/member/account.signUp", { origin: server.url }, `{${names}}`],
    ["/api/sign/open", { origin: server.url }, `{${names}}`],
    ["/api/sign/open", { origin: server.url }, `{"token":[{${names}}]}`],
  ];
  for (const [path, headers, body] of doors) {
    const send = async () => {
      const response = await fetch(server.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      expect(response.status, await response.text()).toBe(422);
    };
    await expectShort(`names at ${path}`, send);
  }
});
