/**
 * A mail server in a process of its own, for tests. How it treats a recipient is the start of the address:
 * `busy…` is put off once, `never…` is refused for good, everyone else gets what was sent.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from "smtp-server";
import { node } from "./server.ts";

export interface Received {
  from: string;
  to: string[];
  /** The message as it came over the line. */
  raw: string;
  /** When it came, in milliseconds. */
  at: number;
}

export interface Mailbox {
  url: string;
  received: Received[];
  /** The addresses of every attempt, also of those that were refused. */
  attempts: string[];
  /** Waits until so many have come. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** At a port that was free a moment ago, or any. */
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
  // A sender that is killed in the middle of its mail is one, and so is a port that is taken.
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
