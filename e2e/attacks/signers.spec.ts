/** The resources that signers can consume: processor time, memory, disk, and other people's time. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { usageOf } from "#lib/documents/sandbox/child-usage.ts";
import { apiWith, expect, test, type Workspace } from "../fixtures.ts";
import { png, scribble } from "../sealing.ts";
import { type RunningServer, startServer } from "../server.ts";
import { linkOf, pdf, requestOf, sent, signerAt } from "../signing.ts";
import { descendantsOf, glance } from "./processes.ts";

test.describe.configure({ mode: "serial" });

let server: RunningServer;
let dataDir: string;

test.beforeAll(async () => {
  const { DATABASE_URL = "" } = process.env;
  dataDir = await mkdtemp(join(tmpdir(), "countersign-signers-"));
  const environment = { DATABASE_URL, DATA_DIR: dataDir, WORKER: "off", RATE_LIMIT_PER_MINUTE: "0" };
  server = await startServer(environment);
});
test.afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Reply {
  status: number;
  headers: Headers;
  text: string;
}

/** Opens a browser for a signer who has consented; returns a function that posts to the signers' door. */
async function browserOf(workspace: Workspace, envelope: { signers: { id: string }[] }, index = 0) {
  await (await signerAt(workspace, envelope, index)).agree();
  const token = (await linkOf(workspace, envelope, index)).split("/").at(-1);
  const post = async (name: string, body: object, headers: object, signal?: AbortSignal): Promise<Reply> => {
    const response = await fetch(`${server.url}/api/sign/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url, ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const opened = await post("open", { token }, {});
  expect(opened.status, opened.text).toBe(200);
  const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
  const own = { cookie, "x-signer-id": envelope.signers[index]!.id };
  return (name: string, body: object, signal?: AbortSignal) => post(name, body, own, signal);
}

const drawn = (image: Buffer) => ({ kind: "drawn", image: image.toString("base64") });

const reading = async () =>
  (await descendantsOf(server.process.pid!)).filter(({ command }) => command.includes("readSignatureImage"));

/** Stops the process that reads an image, if there is one. Lists few processes, to find it right after its start. */
async function stopReading(): Promise<boolean> {
  const { pid } = server.process;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "latin1");
  for (const child of children.split(" ").filter(Boolean)) {
    const command = await readFile(`/proc/${child}/cmdline`, "latin1").catch(() => "");
    if (command.includes("readSignatureImage")) return process.kill(Number(child), "SIGSTOP");
  }
  return false;
}

/** Returns the processor time of all ended child processes of this server. */
async function spentMs(): Promise<number> {
  const stat = await readFile(`/proc/${server.process.pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

async function filesLeft(): Promise<string[]> {
  const found = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Returns an image of the largest size allowed, with a color on every pixel. */
function largest(): Buffer {
  return png(2000, 1000, Buffer.alloc(2000 * 1000 * 4, Buffer.from([0, 0, 0, 255])));
}

/** The same, with far more data than that many pixels need. */
function bomb(): Buffer {
  const image = largest();
  const data = deflateSync(Buffer.alloc(128 * 1024 * 1024));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([image.subarray(0, image.indexOf("IDAT") - 4), length, Buffer.from("IDAT"), data]);
}

test("the worst signature images cost under 3 s of processor time and 384 MB, and leave no temporary files", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const ann = await browserOf(workspace, envelope);
  let seenMb = 0;
  for (const [image, status, kept] of [
    [bomb(), 422, 0],
    [png(2000, 1000, Buffer.alloc(2000 * 1000 * 4)), 422, 0],
    [Buffer.concat([largest().subarray(0, 50), Buffer.alloc(250_000, 7)]), 422, 0],
    [largest(), 200, 1],
  ] as const) {
    const before = await spentMs();
    let over = false;
    let mostMb = 0;
    const looking = (async () => {
      while (!over) {
        for (const { pid } of await glance(reading))
          mostMb = Math.max(mostMb, (await usageOf(pid))?.memoryMb ?? 0);
      }
    })();
    const reply = await ann("adoptSignature", drawn(image));
    over = true;
    await looking;
    expect(reply.status, reply.text).toBe(status);
    await expect.poll(reading).toEqual([]);
    const [ms, left] = [(await spentMs()) - before, await filesLeft()];
    test.info().annotations.push({ type: `${image.length} bytes`, description: `${ms} ms, ${mostMb} MB` });
    // One second above the limit, a process is ended even if nothing watches it.
    expect(ms).toBeLessThan(3000);
    expect(mostMb).toBeLessThan(1.5 * 256);
    seenMb = Math.max(seenMb, mostMb);
    expect(left).toHaveLength(kept);
  }
  expect(seenMb, "someone looked while it was read").toBeGreaterThan(0);
});

test("a signer's images are read one at a time, excess ones get 503, and another signer waits for at most two", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const [ann, ben] = [await browserOf(workspace, envelope, 0), await browserOf(workspace, envelope, 1)];
  const order: string[] = [];
  let most = 0;
  let over = false;
  const looking = (async () => {
    while (!over) most = Math.max(most, (await glance(reading)).length);
  })();
  const image = largest();
  const greedy = Array.from({ length: 8 }, async () => {
    const reply = await ann("adoptSignature", drawn(image));
    if (reply.status === 200) order.push("Ann");
    return reply;
  });
  const other = await ben("adoptSignature", drawn(Buffer.from(scribble(30, 20), "base64")));
  order.push("Ben");
  expect(other.status, other.text).toBe(200);
  const replies = await Promise.all(greedy);
  over = true;
  await looking;
  expect(most).toBe(1);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual(Array(refused.length).fill(503));
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(order.indexOf("Ben")).toBeLessThanOrEqual(2);
});

test("when a signer disconnects, the sandbox process reading their image is stopped and nothing is stored", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const ann = await browserOf(workspace, envelope);
  const leaving = new AbortController();
  const image = largest();
  const asked = Array.from({ length: 3 }, () =>
    ann("adoptSignature", drawn(image), leaving.signal).catch((error: Error) => error.name),
  );
  // A process that is stopped cannot finish before the signer leaves, and the other images wait for it.
  await expect.poll(stopReading, { intervals: [1] }).toBe(true);
  const before = await filesLeft();
  leaving.abort();
  expect(await Promise.all(asked)).toEqual(Array(3).fill("AbortError"));
  await expect.poll(reading).toEqual([]);
  expect(await filesLeft()).toEqual(before);
});

test("another workspace is served while a signer sends 60 saves of the maximum size at once", async ({
  workspace,
  other,
}) => {
  const place = { pageIndex: 0, xPct: 5, yPct: 5, wPct: 30, hPct: 6 };
  const texts = Array.from({ length: 499 }, (_, at) => ({ ...place, type: "TEXT", label: `Text ${at}` }));
  const envelope = await requestOf(workspace, await pdf(), 2, [place, ...texts]);
  const ann = await browserOf(workspace, envelope);
  const values = envelope.fields
    .filter(({ type }: { type: string }) => type === "TEXT")
    .map(({ id }: { id: string }) => ({ fieldId: id, value: "\u5b57".repeat(500) }));
  expect(values).toHaveLength(499);
  const api = apiWith(other.key, server.url);
  let open = 0;
  // More requests than there are database connections.
  const saving = Array.from({ length: 60 }, async (_, at) => {
    open++;
    // Every second one fails at its end, because the signature is missing.
    const reply = await ann(at % 2 ? "finish" : "saveValues", { values });
    open--;
    return reply.status;
  });
  let served = 0;
  while (open > 30) {
    expect((await api("GET /contracts")).status).toBe(200);
    served++;
  }
  expect(await Promise.all(saving)).toEqual(Array.from({ length: 60 }, (_, at) => (at % 2 ? 422 : 200)));
  test.info().annotations.push({ type: "served meanwhile", description: String(served) });
  expect(served).toBeGreaterThan(3);
});
