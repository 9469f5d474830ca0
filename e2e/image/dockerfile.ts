/** Parses deploy/Dockerfile for the tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { root } from "../server.ts";

export interface Step {
  keyword: string;
  /** Without flags, and with continued lines joined. */
  said: string;
}

export interface Stage {
  steps: Step[];
  environment: Record<string, string>;
  /** CMD, and the command of HEALTHCHECK. */
  command: string[];
  check: string[];
}

export const dockerfileText = readFileSync(join(root, "deploy", "Dockerfile"), "utf8");

export function readStages(): Stage[] {
  const stages: Step[][] = [];
  for (const instruction of DockerfileParser.parse(dockerfileText).getInstructions()) {
    const keyword = instruction.getKeyword();
    const content = "getArgumentsContent" in instruction ? String(instruction.getArgumentsContent()) : "";
    if (keyword === "FROM") stages.push([]);
    stages.at(-1)!.push({ keyword, said: content.replaceAll(/\\\n\s*/g, "") });
  }
  return stages.map((steps) => {
    const saidBy = (keyword: string) =>
      steps.filter((step) => step.keyword === keyword).map(({ said }) => said);
    const pairs = saidBy("ENV").flatMap((said) => said.trim().split(/\s+/));
    return {
      steps,
      environment: Object.fromEntries(pairs.map((pair) => /^([^=]+)=(.*)$/.exec(pair)!.slice(1))),
      command: JSON.parse(saidBy("CMD")[0] ?? "[]"),
      check: JSON.parse((saidBy("HEALTHCHECK")[0] ?? "CMD []").replace(/^CMD /, "")),
    };
  });
}

/** Returns the paths that .dockerignore lets into the image: the last rule for a path or its folder decides. */
export function sentToBuild(paths: string[]): string[] {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
  const rules = lines
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => ({ isIn: line.startsWith("!"), fits: patternOf(line.replace(/^!/, "")) }));
  return paths.filter((path) => rules.findLast(({ fits }) => fits.test(path))?.isIn ?? true);
}

const patternOf = (pattern: string): RegExp => {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(.*/)?";
    return part === "*" ? "[^/]*" : part.replaceAll(/[.+()[\]]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}(/.*)?$`);
};
