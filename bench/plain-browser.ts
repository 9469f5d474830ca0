/**
 * A browser whose pages are not debugged. Playwright has every page report to a debugger: V8 then records where each
 * error was created, and re-reads a half-megabyte script for an error that the script creates at its start. No user's
 * browser does that, and it was the largest part of what blocked a page with a PDF.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { browser as settings } from "#e2e/browser.ts";
import type { Cookie } from "./sign-in.ts";

/** A page that was opened and has settled. */
export interface OpenedPage {
  status: number;
  url: string;
  html: string;
  /** Bytes transferred for each script, including headers, by path. */
  scriptBytes: ReadonlyMap<string, number>;
  /** Evaluates an expression in the page and returns its value. */
  evaluate<Value>(expression: string): Promise<Value>;
}

export interface Opening {
  cookies: Cookie[];
  /** Simulates a processor this many times slower. */
  slowdown: number;
  /** Runs in the page before any of its own scripts. */
  first: () => void;
  /** An expression that returns whether the page has settled. */
  rested: string;
}

const longestMs = 60_000;

// biome-ignore lint/suspicious/noExplicitAny: what the protocol says is looked at where it is used.
type Message = Record<string, any>;

export class PlainBrowser {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  readonly #listeners = new Map<string, (method: string, params: Message) => void>();
  #lastId = 0;

  private constructor(process: ChildProcess, folder: string, socket: WebSocket) {
    this.#process = process;
    this.#folder = folder;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data))));
  }

  static async launch(): Promise<PlainBrowser> {
    const { executablePath, args } = { executablePath: undefined, ...settings.launchOptions };
    const folder = await mkdtemp(join(tmpdir(), "countersign-bench-browser-"));
    const flags = ["--headless", "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank"];
    const child = spawn(executablePath ?? chromium.executablePath(), [...args, ...flags], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    for await (const line of createInterface(child.stderr)) {
      const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
      if (!address) continue;
      child.stderr.resume();
      const socket = new WebSocket(address);
      await once(socket, "open");
      return new PlainBrowser(child, folder, socket);
    }
    throw new Error("The browser did not start.");
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) {
      const ended = once(this.#process, "exit");
      // A browser that is terminating after a signal does not answer.
      await Promise.race([this.#send("Browser.close"), ended]);
      await ended;
    }
    // Its other processes exit a moment later, and write files until then.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Opens a page in a fresh profile, passes it to `look`, and deletes the profile. */
  async withPage<Result>(
    url: string,
    opening: Opening,
    look: (page: OpenedPage) => Promise<Result>,
  ): Promise<Result> {
    const { browserContextId } = await this.#send("Target.createBrowserContext");
    try {
      return await look(await this.#open(url, opening, browserContextId));
    } finally {
      await this.#send("Target.disposeBrowserContext", { browserContextId });
    }
  }

  async #open(
    url: string,
    { cookies, slowdown, first, rested }: Opening,
    browserContextId: string,
  ): Promise<OpenedPage> {
    await this.#send("Storage.setCookies", { browserContextId, cookies });
    const { targetId } = await this.#send("Target.createTarget", { browserContextId, url: "about:blank" });
    const { sessionId } = await this.#send("Target.attachToTarget", { targetId, flatten: true });
    const send = (method: string, params: Message = {}) => this.#send(method, params, sessionId);
    const evaluate = async (expression: string) => {
      const answer = await send("Runtime.evaluate", { expression, returnByValue: true });
      if (answer.exceptionDetails) throw new Error(`${url}: ${answer.exceptionDetails.text}`);
      return answer.result.value;
    };
    const traffic = new Traffic();
    this.#listeners.set(sessionId, (method, params) => traffic.take(method, params));
    try {
      await send("Page.enable");
      await send("Page.setLifecycleEventsEnabled", { enabled: true });
      await send("Network.enable");
      await send("Emulation.setDeviceMetricsOverride", {
        ...{ width: 1280, height: 800, deviceScaleFactor: 1, mobile: false },
      });
      await send("Emulation.setFocusEmulationEnabled", { enabled: true });
      await send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      await send("Page.addScriptToEvaluateOnNewDocument", { source: `(${first})()` });
      await send("Page.navigate", { url });
      const deadline = Date.now() + longestMs;
      while (!traffic.isQuiet || !(await evaluate(rested))) {
        if (Date.now() > deadline) throw new Error(`${url} did not come to rest.`);
        await pause(100);
      }
      const { requestId, response } = traffic.document!;
      const { body } = await send("Network.getResponseBody", { requestId });
      return {
        status: response.status,
        url: await evaluate("location.href"),
        html: body,
        scriptBytes: traffic.scriptBytes(),
        evaluate,
      };
    } finally {
      this.#listeners.delete(sessionId);
    }
  }

  #send(method: string, params: Message = {}, sessionId?: string): Promise<Message> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Message>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return answer.promise;
  }

  #take({ id, method, params, sessionId, result, error }: Message): void {
    if (id === undefined) {
      this.#listeners.get(sessionId)?.(method, params);
      return;
    }
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }
}

/** Tracks the network traffic of a page. */
class Traffic {
  document: Message | undefined;
  /** Whether the network was idle for half a second, as reported by the browser. */
  isQuiet = false;
  readonly #scripts = new Map<string, { path: string; bytes: number }>();

  take(method: string, params: Message): void {
    if (method === "Network.responseReceived") this.#respond(params);
    // The blank page before it was idle, too.
    if (method === "Page.lifecycleEvent" && params.name === "networkIdle" && this.document)
      this.isQuiet = true;
    const script = method === "Network.loadingFinished" && this.#scripts.get(params.requestId);
    if (script) script.bytes = params.encodedDataLength;
  }

  #respond(params: Message): void {
    if (params.type === "Document") this.document ??= params;
    if (!/javascript/.test(params.response.mimeType)) return;
    this.#scripts.set(params.requestId, { path: new URL(params.response.url).pathname, bytes: 0 });
  }

  scriptBytes(): ReadonlyMap<string, number> {
    return new Map([...this.#scripts.values()].map(({ path, bytes }) => [path, bytes]));
  }
}
