/**
 * `npm run bench -- web`: the pages in a browser, in a workspace of 100,000 contracts. Measures what a first load costs
 * on a processor a quarter as fast, how long the table of contracts takes to show other rows, how fast a link and the
 * palette respond, and how long a phone waits for the first page of a long document to sign. Fails if a limit is
 * broken.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { browser as settings } from "#e2e/browser.ts";
import { startServer } from "#e2e/server.ts";
import { disconnect } from "#lib/core/db.ts";
import { openDatabase } from "./database.ts";
import type { Flags } from "./flags.ts";
import { closeOnInterrupt } from "./interrupt.ts";
import { PlainBrowser } from "./plain-browser.ts";
import { seeded } from "./seed.ts";
import { seedAround } from "./seed-around.ts";
import { measureCeremony } from "./web-ceremony.ts";
import { measureMoves } from "./web-moves.ts";
import { measuredPages, measurePages } from "./web-pages.ts";
import { type WebFigures, webTable } from "./web-report.ts";
import { measureTable } from "./web-table.ts";
import { furnish } from "./web-workspace.ts";

export async function webBench(flags: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  closeOnInterrupt(closing);
  const database = await openDatabase(flags.keep);
  closing.defer(() => database.close());
  const { main } = await seeded(database, ["main"]);
  await seedAround(database.url, main!);
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-bench-web-"));
  closing.defer(() => rm(dataDir, { recursive: true, force: true }));
  const environment = environmentOf(database.url, dataDir);
  // This process creates what the pages show, with the product's own functions.
  Object.assign(process.env, environment);
  const server = await startServer(environment);
  closing.defer(() => server.stop().then(() => undefined));
  const things = await furnish(database.url, main!, server.url);
  await disconnect();
  // Playwright would end this process on a signal, before the database is closed.
  const heeded = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ ...settings.launchOptions, ...heeded });
  closing.defer(() => browser.close());

  const plainBrowser = async () => {
    const plain = await PlainBrowser.launch();
    closing.defer(() => plain.close());
    return plain;
  };

  const isWanted = (name: string) => name.includes(flags.only);
  const pages = measuredPages(things).filter(({ name }) => isWanted(`page ${name}`));
  const figures: WebFigures = {
    pages:
      pages.length > 0
        ? await measurePages(await plainBrowser(), server.url, things, { pages, rounds: flags.rounds })
        : [],
    changes: isWanted("table") ? await measureTable(browser, server.url, things.cookies) : [],
    moves: isWanted("moves")
      ? await measureMoves(browser, server.url, { cookies: things.cookies, rounds: flags.rounds })
      : [],
    ceremony: isWanted("ceremony") ? await measureCeremony(browser, server.url, things, flags.rounds) : [],
  };
  const machine = {
    cpu: cpus()[0]?.model ?? null,
    cores: availableParallelism(),
    browser: browser.version(),
  };
  process.stdout.write(
    flags.json ? `${JSON.stringify({ ...figures, machine, rounds: flags.rounds })}\n` : webTable(figures),
  );
  const all = [...figures.pages, ...figures.changes, ...figures.moves, ...figures.ceremony];
  if (all.length === 0) throw new TypeError(`Nothing of the web is called ${flags.only}.`);
  if (all.some(({ holds }) => !holds)) process.exitCode = 1;
}

const environmentOf = (url: string, dataDir: string) => ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
  SECRET_KEY: "what the server of a web bench encrypts with",
  RATE_LIMIT_PER_MINUTE: "0",
  WORKER: "off",
  NODE_ENV: "production",
});
