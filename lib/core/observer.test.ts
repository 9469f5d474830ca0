import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

const root = join(import.meta.dirname, "..", "..");

test("no product code calls setClock or setObserver", () => {
  const using = ["app", "components", "lib", "prisma"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !name.startsWith("generated"))
      .map((name) => join(folder, name))
      .filter((path) => /(?<![.\w])(setClock|setObserver)\(/.test(readFileSync(join(root, path), "utf8"))),
  );
  expect(using.sort()).toEqual(["lib/core/clock.ts", "lib/core/observer.ts"]);
});
