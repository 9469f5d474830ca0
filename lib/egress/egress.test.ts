import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";
import { createEgress, EgressRefused, type EgressRequest } from "./egress.ts";

const never = async () => {
  throw new Error("nothing is to be resolved here");
};
const strict = createEgress({ allowPrivate: false, resolve: never });
const open = createEgress({ allowPrivate: true, resolve: async () => ["127.0.0.1"] });

const post = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  url,
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
  timeoutMs: 2_000,
  maxResponseBytes: 16_384,
  ...more,
});

async function listening(server: Server | ReturnType<typeof createTcpServer>, host = "127.0.0.1") {
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Counts who connects, whatever they then say, on both loopback addresses and the same port. */
async function canary() {
  let reached = 0;
  const count = () =>
    createTcpServer((socket) => {
      reached++;
      socket.destroy();
    });
  const [four, six] = [count(), count()];
  const port = await listening(four);
  await new Promise<void>((resolve) => six.once("error", () => resolve()).listen(port, "::1", resolve));
  const close = () => {
    four.close();
    six.close();
  };
  return { port, reached: () => reached, close };
}

async function serving<T>(answer: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer);
  const port = await listening(server);
  try {
    return await work(`http://127.0.0.1:${port}/hook`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Hosts that are this machine, a private network, or no one's: PORT is the canary's. */
const hostileHosts = [
  ...["127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001"],
  ...["0x7f.1", "0x7F.0x0.0x0.0x1", "0177.0.0.1", "017700000001", "0177.1", "127.0.0.0x1", "0", "0.0.0.0"],
  ...["00000000", "0x0", "%31%32%37.0.0.1", "127。0。0。1", "①②⑦.⓪.⓪.①", "１２７.0.0.1", "127.0.0.1%2e"],
  ...[
    "localhost",
    "localhost.",
    "LOCALHOST",
    "foo.localhost",
    "foo.localhost.",
    "ｌｏｃａｌｈｏｓｔ",
    "loc%61lhost",
  ],
  ...[
    "printer.local",
    "db.internal",
    "metadata.google.internal",
    "metadata.google.internal.",
    "nas.home.arpa",
  ],
  ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...["[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:0:127.0.0.1]"],
  ...["[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::7f00:1]"],
  ...["[2002:7f00:1::]", "[2002:7f00:1::1]", "[2002:808:808::]", "[2001:0:7f00:1::]", "[2001::1]"],
  ...["[fe80::1]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[100::1]", "[2001:db8::1]"],
  ...["[3fff::1]", "[5f00::1]", "[4000::1]", "[e000::1]", "[::ffff:169.254.169.254]", "[::ffff:8.8.8.8]"],
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.1.1"],
  ...["169.254.169.254", "169.254.170.2", "100.100.100.200", "100.64.0.1", "192.0.0.192", "0xa9fea9fe"],
  ...["2852039166", "0251.0376.0251.0376", "198.18.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.88.99.1", "0.1.2.3"],
];

const hostileUrls = (port: number) => [
  ...hostileHosts.map((host) => `https://${host}:${port}/hook`),
  `http://127.0.0.1:${port}/`,
  `http://hooks.example.com:${port}/`,
  `https://user:password@hooks.example.com:${port}/`,
  `https://hooks.example.com@127.0.0.1:${port}/`,
  `https://hooks.example.com:443@127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}\\@hooks.example.com/`,
  `https://127.0.0.1:${port}#@hooks.example.com/`,
  `https:127.0.0.1:${port}/`,
  `https:///127.0.0.1:${port}/`,
  `\thttps://127.0.0.1:${port}/`,
  `https://127.0.0.1\t:${port}/`,
  `https://hooks.example.com:0/`,
  `https://hooks.example.com:99999/`,
  `file:///etc/passwd`,
  `gopher://127.0.0.1:${port}/_x`,
  `ftp://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`,
  `data:text/plain,x`,
  `unix:/var/run/docker.sock`,
  `http+unix://%2Fvar%2Frun%2Fdocker.sock/`,
  `javascript:alert(1)`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}`,
  `https://`,
  ``,
];

test("a hostile URL is refused and never reaches this machine, in any notation", async () => {
  const { port, reached, close } = await canary();
  const urls = hostileUrls(port);
  expect(urls.length).toBeGreaterThan(60);
  for (const url of urls) {
    expect(strict.checkTarget(url), url).toMatch(/^must /);
    await expect(strict.send(post(url)), url).rejects.toThrow(EgressRefused);
  }
  expect(reached()).toBe(0);
  close();
});

test("the canary server is reached if private targets are allowed", async () => {
  const { port, reached, close } = await canary();
  for (const host of ["127.0.0.1", "2130706433", "localhost", "hooks.example.com"]) {
    await expect(open.send(post(`http://${host}:${port}/`))).rejects.toThrow("the connection was closed");
  }
  expect(reached()).toBe(4);
  close();
});

test("a public URL is accepted as a target", () => {
  const fine = ["https://hooks.example.com/x?y#z", "https://8.8.8.8:8443", "https://[2606:4700::1111]/"];
  const dns64 = "https://[64:ff9b::8.8.8.8]/";
  for (const url of [...fine, dns64, "https://bücher.example/", "https://localhost.example.com/"]) {
    expect(strict.checkTarget(url), url).toBeNull();
  }
  expect(open.checkTarget("http://10.0.0.1:8080/")).toBeNull();
  expect(open.checkTarget("ftp://10.0.0.1/")).toContain("https://");
});

test("a host name that resolves to any private address is refused, even among public addresses", async () => {
  const { port, reached, close } = await canary();
  const answers = [
    ["127.0.0.1"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["8.8.8.8", "127.0.0.1"],
    ["127.0.0.1", "8.8.8.8"],
    ["2606:4700::1111", "8.8.8.8", "::1"],
    ["169.254.169.254"],
    ["0.0.0.0"],
    ["fe80::1%lo"],
    ["not an address"],
  ];
  for (const answer of answers) {
    const { send } = createEgress({ allowPrivate: false, resolve: async () => answer });
    const sending = send(post(`https://hooks.example.com:${port}/`));
    await expect(sending, answer.join()).rejects.toThrow(EgressRefused);
  }
  expect(reached()).toBe(0);
  close();
});

test("a host name is resolved once per request, so DNS rebinding never reaches a private address", async () => {
  const { port, reached, close } = await canary();
  for (const first of [["8.8.8.8"], ["2606:4700::1111"], ["8.8.8.8", "1.1.1.1", "2606:4700::1111"]]) {
    let asked = 0;
    const resolve = async () => (asked++ === 0 ? first : ["127.0.0.1"]);
    const { send } = createEgress({ allowPrivate: false, resolve });
    const sending = send(post(`https://rebinding.example.com:${port}/`, { timeoutMs: 400 }));
    await expect(sending).rejects.toThrow(Error);
    expect(asked).toBe(1);
    // Its second connection asks again, and checks again.
    await expect(send(post(`https://rebinding.example.com:${port}/`))).rejects.toThrow(Error);
  }
  expect(reached()).toBe(0);
  close();
});

test("a redirect is returned as the response and not followed", async () => {
  const { port, reached, close } = await canary();
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `http://127.0.0.1:${port}/`;
    const answer = await serving(
      (_, response) => response.writeHead(status, { location }).end("moved"),
      (url) => open.send(post(url)),
    );
    expect(answer).toMatchObject({ status, body: "moved", headers: { location } });
  }
  expect(reached()).toBe(0);
  close();
});

test("a request arrives unchanged, and its response is returned with its duration", async () => {
  const body = Buffer.from('{"name":"Zoë 🖋"}');
  const seen: unknown[] = [];
  const answer = await serving(
    async (request, response) => {
      seen.push(request.method, request.url, request.headers["webhook-id"], await text(request));
      response.writeHead(202, { "x-two": ["a", "b"] }).end("thänks");
    },
    (url) => open.send(post(`${url}?q=1#part`, { body, headers: { "webhook-id": "msg_1" } })),
  );
  expect(seen).toEqual(["POST", "/hook?q=1", "msg_1", body.toString()]);
  expect(answer).toMatchObject({ status: 202, body: "thänks", headers: { "x-two": "a, b" } });
  expect(answer.durationMs).toBeGreaterThan(0);
});

test("an endless response body is cut off at the limit", async () => {
  const answer = await serving(
    (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more).writeHead(200);
      more();
    },
    (url) => open.send(post(url)),
  );
  expect(answer).toMatchObject({ status: 200, body: "x".repeat(16_384) });
});

const slow: Record<string, RequestListener> = {
  "before the headers": () => undefined,
  "within the body": (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("x"), 20);
    response.on("close", () => clearInterval(timer));
  },
  "to finish a body shorter than announced": (_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("x");
  },
};

for (const [where, answer] of Object.entries(slow)) {
  test(`a response that is slow ${where} times out`, async () => {
    await serving(answer, async (url) => {
      await expect(open.send(post(url, { timeoutMs: 300 }))).rejects.toThrow("time-out after 0.3 s");
    });
  });
}

test("a DNS resolver or TLS server that never answers causes a time-out", async () => {
  const { send } = createEgress({ allowPrivate: false, resolve: () => new Promise(() => undefined) });
  await expect(send(post("https://hooks.example.com/", { timeoutMs: 200 }))).rejects.toThrow(
    "time-out after",
  );
  const silent = createTcpServer(() => undefined);
  const port = await listening(silent);
  const sending = open.send(post(`https://127.0.0.1:${port}/`, { timeoutMs: 200 }));
  await expect(sending).rejects.toThrow("time-out after 0.2 s");
  silent.close();
});

test("a caller can abort a request", async () => {
  await serving(slow["before the headers"]!, async (url) => {
    const signal = AbortSignal.timeout(50);
    await expect(open.send(post(url, { signal }))).rejects.toThrow(/aborted/);
    await expect(open.send(post(url, { signal: AbortSignal.abort(new Error("stop")) }))).rejects.toThrow(
      "stop",
    );
  });
});

test("a self-signed certificate is reported and refused, even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const make = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync("openssl", [...make, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
  let reached = 0;
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, () => reached++);
  const port = await listening(server);
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  const sending = open.send(post(`https://localhost:${port}/`));
  await expect(sending).rejects.toThrow("the certificate is self-signed");
  if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  expect(reached).toBe(0);
  server.close();
  rmSync(folder, { recursive: true });
});

test("each kind of failure is reported with a short, plain reason", async () => {
  const closed = createTcpServer();
  const port = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  const message = (url: string, egress = open) =>
    egress.send(post(url)).then(
      () => "it went well",
      (error: Error) => error.message,
    );
  expect(await message(`http://127.0.0.1:${port}/`)).toBe("connection refused");
  const failing = (code: string) =>
    createEgress({
      allowPrivate: true,
      resolve: async () => Promise.reject(Object.assign(new Error(), { code })),
    });
  expect(await message("https://x.example/", failing("ENOTFOUND"))).toBe("the name does not exist");
  expect(await message("https://x.example/", failing("EAI_AGAIN"))).toBe("the name could not be resolved");
  const junk = createTcpServer((socket) => socket.end("220 mail.example ESMTP\r\n"));
  const junkPort = await listening(junk);
  expect(await message(`http://127.0.0.1:${junkPort}/`)).toBe("the answer is not HTTP");
  expect(await message(`https://127.0.0.1:${junkPort}/`)).toBe("the TLS connection could not be made");
  junk.close();
});

test("connections are reused for requests to the same host, but not after a truncated body", async () => {
  const ports: (number | undefined)[] = [];
  await serving(
    (request, response) => {
      ports.push(request.socket.remotePort);
      response.end(request.url?.includes("long") ? "x".repeat(200_000) : "ok");
    },
    async (url) => {
      for (let n = 0; n < 10; n++) await open.send(post(url));
      expect(new Set(ports).size).toBeLessThan(5);
      await open.send(post(`${url}?long`));
      const cut = ports.at(-1);
      for (let n = 0; n < 5; n++) await open.send(post(url));
      expect(ports.slice(-5)).not.toContain(cut);
    },
  );
});
