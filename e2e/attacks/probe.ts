/** Tries what a program in the sandbox could reach; prints `reached` or the error for each attempt. */
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";

interface Tries {
  read: string[];
  write: string;
  port: number;
  udpPort: number;
  socket: string;
}

interface Binding {
  binding(name: string): unknown;
}

const { read, write, port, udpPort, socket }: Tries = JSON.parse(process.argv[2]!);

const attempt = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return "reached";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
};

const arrived = (emitter: NodeJS.EventEmitter, event: string) =>
  new Promise((resolve, reject) => emitter.once(event, resolve).once("error", reject));

const inThread = (program: string) =>
  new Promise((resolve, reject) => {
    const thread = new Worker(program, { eval: true, execArgv: [] });
    thread.once("message", (said) => (said === "reached" ? resolve(said) : reject(new Error(said))));
    thread.once("error", reject);
  });

const overThread = `const { parentPort } = require("node:worker_threads");
try {
  const socket = require("node:net").connect(${port}, "127.0.0.1");
  socket.once("connect", () => parentPort.postMessage("reached"));
  socket.once("error", (error) => parentPort.postMessage(error.code));
} catch (error) { parentPort.postMessage(error.message); }`;

const found = {
  files: await Promise.all(read.map((path) => attempt(() => readFileSync(path)))),
  written: await attempt(() => writeFileSync(write, "x")),
  program: await attempt(() => execFileSync("/bin/true")),
  tcp: await attempt(() => arrived(connect(port, "127.0.0.1"), "connect")),
  unix: await attempt(() => arrived(connect(socket), "connect")),
  http: await attempt(() => arrived(get(`http://127.0.0.1:${port}`), "response")),
  fetch: await attempt(async () => {
    await fetch(`http://127.0.0.1:${port}`).catch((error) => {
      throw error.cause ?? error;
    });
  }),
  udp: await attempt(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    createSocket("udp4").send("x", udpPort, "127.0.0.1", (error) => (error ? reject(error) : resolve()));
    return promise;
  }),
  name: await attempt(() => lookup("countersign.example")),
  binding: await attempt(() => (process as NodeJS.Process & Binding).binding("tcp_wrap")),
  thread: await attempt(() => inThread(overThread)),
  environment: Object.keys(process.env),
};
process.stdout.write(JSON.stringify(found), () => process.exit());
