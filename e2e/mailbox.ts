/**
 * A mail server in a process of its own, for tests. The start of an address decides how it treats the recipient:
 * `busy…` is deferred once, `never…` is rejected for good, everyone else gets their mail.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from "smtp-server";
import { node } from "./server.ts";

export interface Received {
  from: string;
  to: string[];
  /** The message as received. */
  raw: string;
  /** When it arrived, in milliseconds. */
  at: number;
}

export interface Mailbox {
  url: string;
  received: Received[];
  /** The addresses of every attempt, including rejected ones. */
  attempts: string[];
  /** Waits until this many mails have arrived. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a mailbox on the given port, which must be free, or on any free port. */
export async function openMailbox(at = 0): Promise<Mailbox> {
  const child = spawn(node, [import.meta.filename, String(at)], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const received: Received[] = [];
  const attempts: string[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    child.once("close", (code) => reject(new Error(`The mail server ended with ${code}.`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const told = JSON.parse(line);
      if (told.port) resolve(told.port);
      else if (told.attempt) attempts.push(told.attempt);
      else received.push({ ...told, at: Date.now() });
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    attempts,
    async until(count) {
      const deadline = Date.now() + 60_000;
      while (received.length < count && Date.now() < deadline) await new Promise((go) => setTimeout(go, 20));
      if (received.length < count) throw new Error(`${received.length} of ${count} mails came.`);
    },
    close() {
      child.kill();
      return exited;
    },
  };
}

const tell = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

function serve(): void {
  const putOff = new Set<string>();
  const answer = ({ address }: SMTPServerAddress) => {
    tell({ attempt: address });
    if (address.startsWith("never")) return refusal(550, `There is no ${address} here`);
    if (!address.startsWith("busy") || putOff.has(address)) return null;
    putOff.add(address);
    return refusal(451, "Later, please");
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onRcptTo: (address, _session, done) => done(answer(address)),
    onData(stream, { envelope }: SMTPServerSession, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk) => chunks.push(chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        const to = envelope.rcptTo.map(({ address }) => address);
        tell({ from, to, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  // Only a failure to listen is fatal: a sender that is killed in the middle of its mail is an error, too.
  server.on("error", (error) => {
    if (!server.server.listening) throw error;
  });
  server.listen(Number(process.argv[2]), "127.0.0.1", () => tell(server.server.address() as object));
  process.stdin.resume().once("end", () => process.exit());
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

if (process.argv[1] === import.meta.filename) serve();
