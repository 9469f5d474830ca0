/** Runs the README's API tour exactly as written. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { simplePdf } from "../corpus/pdf.ts";
import { expect, test } from "../fixtures.ts";
import { node, root } from "../server.ts";

/** The parts of jq that the README uses, because the tests do not require jq: `jq -r .a[0].b`. */
const jq = `
const { text } = require("node:stream/consumers");
text(process.stdin).then((input) => {
  const step = (values, name) => (name === "[]" ? values.flat() : values.map((value) => value[name]));
  const names = process.argv[1].replace(/\\[(\\d+)\\]/g, ".$1").match(/\\w+|\\[\\]/g);
  for (const value of names.reduce(step, [JSON.parse(input)])) console.log(value);
});`;

test("the README's API commands work as described", async ({ workspace }) => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [, lines = ""] = /## Use the API\n.*?```sh\n(.*?)```/s.exec(readme) ?? [];
  const settings = "export KEY=csk_…  at=http://localhost:3000/api/v1\n";
  expect(lines).toContain(settings);
  const file = test.info().outputPath("agreement.pdf");
  await writeFile(file, simplePdf("README"));
  const script = `set -e\njq() { "$NODE" -e "$JQ" "$2"; }\n${lines.replace(settings, "")}`;
  const { stdout } = await promisify(execFile)("bash", ["-c", script], {
    cwd: dirname(file),
    env: { ...process.env, KEY: workspace.key, at: `${process.env.BASE_URL}/api/v1`, NODE: node, JQ: jq },
  });
  const [, promised] = /^# (EXPIRATION_DATE .*)$/m.exec(lines) ?? [];
  const [answers = "", version] = stdout.trim().split("\n");
  expect(answers).toMatch(/^\{"data":\[\]/);
  expect(answers.endsWith(`}${promised}`), answers).toBe(true);
  expect(version).toMatch(/^ver_[0-9a-z]{26}$/);
  const { body } = await workspace.api("GET /contracts");
  expect(body.data.map(({ title }: { title: string }) => title)).toEqual(["Services agreement"]);
});
