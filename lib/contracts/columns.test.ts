import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

const root = join(import.meta.dirname, "../..");

const notes = `notes: { sql: "notes", cast: "text", setBy: "request", imported: true, exported: "value" },`;
const answered = [
  "schema.ts",
  `templateId: idOut("template")`,
  `notes: z.string().nullable(), templateId: idOut("template")`,
];
const asked = [
  "schema.ts",
  "  customFields: CustomFieldsIn,\n};",
  "  customFields: CustomFieldsIn,\n  notes: name.nullable().optional(),\n};",
];
const inTable = ["columns.ts", "} as const satisfies", `${notes}\n} as const satisfies`];

/** What someone adding a field may do, and what the compiler reports: a pattern, or nothing. */
const copies: Record<string, { edits: string[][]; complaint: RegExp | null }> = {
  whole: { edits: [answered, asked, inTable], complaint: null },
  answeredOnly: { edits: [answered], complaint: /Property 'notes' is missing/ },
  askedOnly: { edits: [asked], complaint: /Property 'notes' is missing/ },
  noColumn: { edits: [answered, asked], complaint: /Property 'notes' is missing/ },
  columnOnly: { edits: [inTable], complaint: /'notes' does not exist in type/ },
  neverAnswered: { edits: [asked, inTable], complaint: /not assignable to type 'never'/ },
  neverAsked: { edits: [answered, inTable], complaint: /Type '"request"' is not assignable/ },
  neverSet: {
    edits: [answered, asked, inTable, ["columns.ts", notes, notes.replace("request", "creation")]],
    complaint: /Type '"creation"' is not assignable to type '"request"'/,
  },
  wrongType: {
    edits: [answered, asked, inTable, ["columns.ts", notes, notes.replace('"text"', '"int"')]],
    complaint: /Type '"int"' is not assignable/,
  },
};

test("a contract field that is only in the schema or only in the table of columns does not compile", () => {
  test.setTimeout(120_000);
  // Outside the project, whose own type check would read these files.
  const folder = mkdtempSync(join(tmpdir(), "columns-"));
  for (const [name, { edits }] of Object.entries(copies)) copyWith(edits, join(folder, name));
  const errors = compile(folder);
  rmSync(folder, { recursive: true });
  for (const [name, { complaint }] of Object.entries(copies)) {
    const told = errors.split(/\n(?=\S)/).filter((error) => error.startsWith(`${name}/`));
    if (complaint) expect(told.join("\n"), name).toMatch(complaint);
    else expect(told, name).toEqual([]);
  }
});

function copyWith(edits: string[][], copy: string): void {
  for (const floor of ["lib/core", "lib/custom-fields", "lib/contracts"]) {
    cpSync(join(root, floor), join(copy, floor), { recursive: true });
  }
  cpSync(join(root, "package.json"), join(copy, "package.json"));
  for (const [file, find, replace] of edits) {
    const path = join(copy, "lib/contracts", file!);
    const [before, after, ...more] = readFileSync(path, "utf8").split(find!);
    expect([after !== undefined, more], `once in ${file}: ${find}`).toEqual([true, []]);
    writeFileSync(path, `${before}${replace}${after}`);
  }
}

/** The compiler's output on the tables of all copies, in one run. */
function compile(folder: string): string {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const files = Object.keys(copies).map((name) => join(name, "lib/contracts/columns.ts"));
  const compilerOptions = { types: ["node"], plugins: [], incremental: false };
  const config = { extends: join(root, "tsconfig.json"), compilerOptions, files, include: [], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    return execFileSync(process.execPath, [tsc, "-p", "."], { cwd: folder, encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
