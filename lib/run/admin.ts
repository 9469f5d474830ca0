/** `npm run -s admin -- COMMAND …`: one JSON object on stdout, everything else on stderr. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { BadSetting } from "#lib/core/env.ts";
import { Refusal } from "#lib/core/errors.ts";
import { type Command, commands } from "./commands.ts";
import { hideDeprecations, onStopSignal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

/** An invalid command line. */
class BadUsage extends Error {}

const exitCodes = { done: 0, failed: 1, badUsage: 2 } as const;

async function main([name = "", ...args]: string[]): Promise<number> {
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command)
      throw new BadUsage(`${name ? `There is no command ${name}.` : "No command was given."}\n${usage()}`);
    const flags = await parseFlags(name, command, args);
    const run = () => command.run(flags);
    const answer = await (command.isOffline?.(flags) ? run() : withDatabase(run, console.error));
    console.log(JSON.stringify(answer));
    return command.failed?.(answer) ? exitCodes.failed : exitCodes.done;
  } catch (error) {
    if (error instanceof Refusal) console.error(inWords(error));
    else if (error instanceof BadUsage || error instanceof BadSetting) console.error(error.message);
    else console.error(error);
    return error instanceof BadUsage || error instanceof BadSetting ? exitCodes.badUsage : exitCodes.failed;
  }
}

/** Formats a refusal, with one line for each issue. */
function inWords({ message, issues }: Refusal): string {
  return issues ? issues.map(({ path, message }) => `${path || "input"}: ${message}`).join("\n") : message;
}

async function parseFlags(
  name: string,
  command: Command,
  args: string[],
): Promise<z.output<Command["flags"]>> {
  const wrong = (problems: string[]) =>
    new BadUsage(`${problems.join("\n")}\nUsage: ${name} ${command.usage}`);
  const given = readFlags(command.flags.shape, args, wrong);
  const parsed = await command.flags.safeParseAsync(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw wrong(
    parsed.error.issues.map(({ path, message, input }) => {
      return `--${path.join(".")} ${input === undefined ? "is required" : message}`;
    }),
  );
}

function readFlags(shape: z.ZodObject["shape"], args: string[], wrong: (problems: string[]) => Error) {
  const options = Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const type = isSwitch(schema) ? "boolean" : "string";
      return [name, { type, multiple: true } as const];
    }),
  );
  let values: Record<string, (string | boolean)[] | undefined>;
  try {
    values = parseArgs({ args, options, strict: true }).values as typeof values;
  } catch (error) {
    throw wrong([(error as Error).message]);
  }
  const given = Object.entries(values).map(([name, said = []]) => {
    if (isList(shape[name])) return [name, said];
    if (said.length > 1) throw wrong([`--${name} is given ${said.length} times.`]);
    return [name, said[0]];
  });
  return Object.fromEntries(given);
}

/** The schema of a flag's value, without `optional()` or `default()`. */
const required = (schema: unknown) =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : schema;

/** Whether a flag takes no value. */
const isSwitch = (schema: unknown) => required(schema) instanceof z.ZodBoolean;

/** Whether a flag may be given more than once. */
const isList = (schema: unknown) => required(schema) instanceof z.ZodArray;

function usage(): string {
  const lines = Object.entries(commands).map(([name, command]) => `  ${name} ${command.usage}`);
  return ["Usage: npm run -s admin -- COMMAND", ...lines].join("\n");
}

hideDeprecations();
// process.exit also ends the child processes that were started to read a file.
const end = () => process.exit(exitCodes.failed);
onStopSignal(end, end);
process.exitCode = await main(process.argv.slice(2));
