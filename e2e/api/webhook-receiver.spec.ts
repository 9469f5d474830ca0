import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { freePort, node, root } from "../server.ts";

const run = promisify(execFile);
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const event = { id: "evt_1", type: "contract.created", data: { contract: { title: "Zoë's – 契約 🖋" } } };
const body = JSON.stringify(event);

type Headers = Record<string, string>;

/** Returns the headers that our server sends, `ageSeconds` old and signed with each of the secrets. */
function signed(id: string, { ageSeconds = 0, secrets = [secret], text = body } = {}): Headers {
  const at = new Date(Date.now() - ageSeconds * 1000);
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((one) => new Webhook(one).sign(id, at, text)).join(" "),
  };
}

/** The programs that the test has started; they are killed when it ends. */
const started: ChildProcess[] = [];
test.afterEach(() => {
  for (const child of started.splice(0)) child.kill();
});

function start(args: string[], environment: Headers = {}) {
  const child = spawn(node, args, { cwd: root, env: { ...process.env, ...environment } });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return { output: () => output };
}

async function startReceiver(...flags: string[]) {
  const { output } = start(["lib/run/webhook-receiver.ts", "--secret", secret, "--port", "0", ...flags]);
  await expect.poll(output).toContain("Waiting for deliveries at ");
  const [, url] = /at (http:\S+\/)/.exec(output())!;
  const post = async (headers: Headers, sent: BodyInit = body) =>
    (await fetch(url!, { method: "POST", headers, body: sent })).status;
  return { url: url!, output, post };
}

test("the receiver prints verified deliveries with their type, headers and event", async () => {
  const { post, output } = await startReceiver();
  expect(await post(signed("msg_1"))).toBe(204);
  await expect.poll(output).toContain(JSON.stringify(event, null, 2));
  expect(output()).toMatch(/verified: contract\.created \(answered 204\)\nwebhook-id: "msg_1"/);
  // As on the day after a secret was rotated.
  expect(await post(signed("msg_2", { secrets: [newSecret(), secret] }))).toBe(204);
  expect(output()).not.toContain("NOT VERIFIED");
});

test("the receiver responds 401 to deliveries that do not verify, and prints the reason", async () => {
  const { post, output } = await startReceiver();
  const good = signed("msg_1");
  const forged: [Headers, string, string][] = [
    [good, `${body} `, "no signature matches"],
    [{ ...good, "webhook-id": "msg_2" }, body, "no signature matches"],
    [signed("msg_1", { secrets: [newSecret()] }), body, "no signature matches"],
    [
      { ...good, "webhook-signature": good["webhook-signature"]!.replace("v1,", "v1a,") },
      body,
      "no signature",
    ],
    [{ ...good, "webhook-signature": "v1" }, body, "no signature matches"],
    [signed("msg_1", { ageSeconds: 301 }), body, "more than 5 minutes ago"],
    [signed("msg_1", { ageSeconds: -302 }), body, "more than 5 minutes ahead"],
    [{ ...good, "webhook-timestamp": "soon" }, body, "not a number of seconds"],
    [{ "webhook-id": "msg_1" }, body, "webhook-timestamp, webhook-signature are missing"],
  ];
  for (const [index, [headers, sent, reason]] of forged.entries()) {
    expect(await post(headers, sent), reason).toBe(401);
    const said = () => output().split("NOT VERIFIED: ")[index + 1] ?? "";
    await expect.poll(said).toContain(reason);
  }
  expect(output()).not.toContain("Zoë");
  expect(await post(good)).toBe(204);
});

test("the receiver marks a repeated delivery as a duplicate, unless it refused the first", async () => {
  const taking = await startReceiver();
  for (const ageSeconds of [0, 0, 20]) expect(await taking.post(signed("msg_1", { ageSeconds }))).toBe(204);
  await expect.poll(() => taking.output().match(/a duplicate: msg_1/g)).toHaveLength(2);
  const refusing = await startReceiver("--status", "503");
  for (let n = 0; n < 2; n++) expect(await refusing.post(signed("msg_1"))).toBe(503);
  await expect.poll(() => refusing.output().match(/answered 503/g)).toHaveLength(2);
  expect(refusing.output()).not.toContain("duplicate");
});

test("the receiver explains what is wrong with its command line", async () => {
  const wrong = async (...flags: string[]) => {
    const failed = await run(node, ["lib/run/webhook-receiver.ts", ...flags], { cwd: root }).catch(
      (error) => error,
    );
    expect(failed.code).toBe(2);
    return failed.stderr as string;
  };
  expect(await wrong()).toMatch(/^--secret is required\nUsage: /);
  expect(await wrong("--secret", "hunter2")).toContain("--secret is not a webhook secret");
  expect(await wrong("--secret", secret, "--port", "x")).toContain("--port must be a number");
  expect(await wrong("--secret", secret, "--prot", "1")).toContain("--prot");
});

/** Returns code from docs/webhooks.md, so that the tested code is the code that it shows. */
function snippet(language: "js" | "python" | "sh", containing: string): string {
  const page = readFileSync(join(root, "docs", "webhooks.md"), "utf8");
  const blocks = page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"));
  const found = [...blocks].map(([, code]) => code!).find((code) => code.includes(containing));
  if (!found) throw new Error(`docs/webhooks.md shows no ${language} with ${containing}.`);
  return found;
}

test("the Node receiver in docs/webhooks.md accepts a delivery and refuses a forged one", async () => {
  // Inside the project's folder, where Node finds the library.
  const file = test.info().outputPath("receiver.mjs");
  await writeFile(file, snippet("js", "createServer"));
  const port = await freePort();
  const { output } = start([file], { WEBHOOK_SECRET: secret, PORT: String(port) });
  const post = (headers: Headers) =>
    fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body }).then(({ status }) => status);
  await expect.poll(() => post(signed("msg_1")).catch(() => 0)).toBe(204);
  expect(await post(signed("msg_2", { secrets: [newSecret()] }))).toBe(401);
  await expect.poll(output).toContain("msg_1 contract.created");
});

test("the Python code in docs/webhooks.md accepts a delivery and refuses a forged one", async () => {
  const program = `${snippet("python", "def verify")}
import sys
given = json.loads(sys.argv[1])
print(json.dumps(verify(given["secret"], given["headers"], given["body"].encode())))`;
  const verify = async (headers: Headers, text = body) => {
    const { stdout } = await run("python3", ["-c", program, JSON.stringify({ secret, headers, body: text })]);
    return JSON.parse(stdout);
  };
  expect(await verify(signed("msg_1"))).toEqual(event);
  expect(await verify(signed("msg_1", { secrets: [newSecret(), secret] }))).toEqual(event);
  const failing = [
    () => verify(signed("msg_1"), `${body} `),
    () => verify(signed("msg_1", { secrets: [newSecret()] })),
    () => verify({ ...signed("msg_1"), "webhook-signature": "v1,ü" }),
  ];
  for (const refused of failing) await expect(refused()).rejects.toThrow("ValueError: no signature matches");
  await expect(verify(signed("msg_1", { ageSeconds: 301 }))).rejects.toThrow("too far off");
});

test("the openssl commands in docs/webhooks.md sign as the library does, and the curl command delivers", async () => {
  const script = snippet("sh", "openssl");
  const [functions] = script.split("\ndeliver http");
  const headers = signed("msg_1");
  const signing = run("sh", [
    "-c",
    `${functions}\nprintf %s "$4" | sign "$1" "$2" "$3"`,
    "sh",
    ...[secret, "msg_1", headers["webhook-timestamp"]!, body],
  ]);
  expect((await signing).stdout.trim()).toBe(headers["webhook-signature"]);
  const { url, output } = await startReceiver();
  const delivering = script.replace("http://localhost:4000/ whsec_…", `${url} ${secret}`);
  expect((await run("sh", ["-c", delivering])).stdout).toBe("204\n");
  await expect.poll(output).toContain("verified: contract.created");
});
