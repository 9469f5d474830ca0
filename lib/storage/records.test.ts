/** Records are written once: on a disk, and in an S3-compatible store with and without object lock. */
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { diskRecords } from "./disk-records.ts";
import { s3 } from "./s3.ts";

const text = (words: string) => Buffer.from(words);

test("a record on disk is written once and never overwritten, even by concurrent writes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-records-"));
  try {
    const records = diskRecords(folder);
    expect(await records.list("a/org_1/")).toEqual([]);
    await records.put("a/org_1/2.json", text("second"));
    await Promise.all(["first", "other"].map((words) => records.put("a/org_1/1.json", text(words))));
    const [first] = [(await records.read("a/org_1/1.json")).toString()];
    await records.put("a/org_1/1.json", text("forged"));
    expect((await records.read("a/org_1/1.json")).toString()).toBe(first);
    expect(["first", "other"]).toContain(first);
    expect(await records.list("a/org_1/")).toEqual(["a/org_1/1.json", "a/org_1/2.json"]);
    for (const name of ["../x", "a/../../x", "/etc/x", "a/b\0"]) {
      await expect(records.put(name, text("x"))).rejects.toThrow(TypeError);
    }
    await chmod(join(folder, "a", "org_1", "1.json"), 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

interface Put {
  headers: IncomingHttpHeaders;
  status: number;
}

/** As much of a store as records need. Without locks it rejects requests for one, as Amazon's does. */
async function openStore(hasLocks: boolean): Promise<{ server: Server; port: number; puts: Put[] }> {
  const objects = new Map<string, Buffer>();
  const puts: Put[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, "http://store");
    const path = decodeURIComponent(url.pathname);
    const answer = (status: number, body: string | Buffer = "") => {
      if (request.method === "PUT") puts.push({ headers: request.headers, status });
      response.writeHead(status, { "content-type": "application/xml" }).end(body);
    };
    const body = await buffer(request);
    if (request.method === "PUT") {
      const { "x-amz-object-lock-mode": mode, "content-md5": md5, "if-none-match": none } = request.headers;
      if (mode && (!hasLocks || !md5)) return answer(400, "<Error><Code>InvalidRequest</Code></Error>");
      if (none === "*" && objects.has(path)) {
        return answer(412, "<Error><Code>PreconditionFailed</Code></Error>");
      }
      objects.set(path, body);
      return answer(200);
    }
    if (url.searchParams.has("list-type")) {
      const prefix = `${path.replace(/\/$/, "")}/${url.searchParams.get("prefix")}`;
      const names = [...objects.keys()].filter((name) => name.startsWith(prefix));
      const contents = names.map(
        (name) => `<Contents><Key>${name.split("/").slice(2).join("/")}</Key></Contents>`,
      );
      return answer(200, `<ListBucketResult>${contents.join("")}</ListBucketResult>`);
    }
    answer(objects.has(path) ? 200 : 404, objects.get(path));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port, puts };
}

for (const hasLocks of [true, false]) {
  test(`a record in a bucket ${hasLocks ? "with object lock is locked for more than nine years" : "without object lock is stored unlocked"}, and never overwritten`, async () => {
    const { server, port, puts } = await openStore(hasLocks);
    try {
      const { records } = s3({
        ...{ bucket: "files", prefix: "ours/", region: "us-east-1", endpoint: `http://127.0.0.1:${port}` },
        credentials: { accessKeyId: "key", secretAccessKey: "secret" },
      });
      await records.put("a/org_1/1.json", text("first"));
      const taken = puts.find(({ status }) => status === 200)!.headers;
      expect(taken["x-amz-object-lock-mode"]).toBe(hasLocks ? "GOVERNANCE" : undefined);
      if (hasLocks) {
        const until = Date.parse(String(taken["x-amz-object-lock-retain-until-date"]));
        expect(until).toBeGreaterThan(Date.now() + 9 * 365 * 86_400_000);
      }
      await records.put("a/org_1/1.json", text("forged"));
      expect((await records.read("a/org_1/1.json")).toString()).toBe("first");
      expect(await records.list("a/org_1/")).toEqual(["a/org_1/1.json"]);
      expect(await records.list("a/org_2/")).toEqual([]);
    } finally {
      server.close();
    }
  });
}
