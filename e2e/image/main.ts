/**
 * `npm run -s check:image`: follows deploy/Dockerfile without a container. Runs its first stage in a clean folder, then
 * starts, checks and stops what the image starts. The users and folders that the second stage creates are not tested.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, root } from "../server.ts";
import { readStages, type Step, sentToBuild } from "./dockerfile.ts";

const say = (line: string) => console.log(line);
const [build, image] = readStages();
const place = mkdtempSync(join(tmpdir(), "countersign-image-"));
const app = join(place, "app");

/** None of this machine's settings, except npm's cache. */
const clean = {
  PATH: process.env.PATH!,
  HOME: place,
  npm_config_cache: execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(),
  npm_config_prefer_offline: "true",
} as unknown as NodeJS.ProcessEnv;

function take({ keyword, said }: Step): void {
  say(`${keyword} ${said}`);
  if (keyword === "RUN") execFileSync("/bin/sh", ["-c", said], { cwd: app, env: clean, stdio: "inherit" });
  if (keyword !== "COPY") return;
  const names = said.split(/\s+/);
  const to = names.pop()!;
  for (const path of sentToBuild(filesBelow(names))) {
    const target = join(app, to === "./" || to === "." ? path : join(to, path.split("/").at(-1)!));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, path), target);
  }
}

const filesBelow = (names: string[]): string[] =>
  names.flatMap((name) => {
    const within = name === "." ? "**/*" : name;
    const exclude = (path: string) => /^(node_modules|\.next|\.data|\.git)$/.test(path);
    return globSync(within, { cwd: root, exclude }).filter((path) => statSync(join(root, path)).isFile());
  });

async function run(): Promise<void> {
  mkdirSync(app);
  for (const step of build!.steps) take(step);
  const port = String(await freePort());
  const env = {
    ...image!.environment,
    ...{ PATH: `${join(app, "node_modules", ".bin")}:${clean.PATH}`, HOME: place },
    ...{ HOST: "127.0.0.1", PORT: port, DATA_DIR: join(place, "data") },
  } as unknown as NodeJS.ProcessEnv;
  const built = Date.now();
  await pause(1000);
  say(`CMD ${image!.command.join(" ")}`);
  const [command = "", ...args] = image!.command;
  const server = spawn(command, args, { cwd: app, env, stdio: "inherit" });
  const ended = once(server, "exit");
  const check = () => {
    const [program = "", ...rest] = image!.check;
    const asked = spawn(program, rest, { cwd: app, env, stdio: "ignore" });
    return once(asked, "exit").then(([code]) => code === 0);
  };
  const isOver = ended.then(() => true);
  while (!(await check()))
    if (await Promise.race([isOver, pause(200, false)])) throw new Error("The server ended.");
  const page = await fetch(`http://127.0.0.1:${port}/sign-in`);
  if (page.status !== 200) throw new Error(`/sign-in answers ${page.status}.`);
  server.kill("SIGTERM");
  const [code] = await ended;
  if (code !== 0) throw new Error(`The server ended with ${code}.`);
  // In an image mounted read-only, this would have failed.
  const written = globSync("**/*", { cwd: app }).filter((path) => statSync(join(app, path)).mtimeMs > built);
  if (written.length > 0) throw new Error(`Written beside the data: ${written.join(", ")}`);
  const size = execFileSync("du", ["-sm", app], { encoding: "utf8" }).split("\t")[0];
  say(`Ready, healthy, and ended well; ${size} MB, and nothing was written beside the data.`);
}

try {
  await run();
} finally {
  rmSync(place, { recursive: true, force: true });
}
