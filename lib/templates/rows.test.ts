import { expect, test } from "@playwright/test";
import { turnsOf } from "#e2e/turns.ts";
import { type TemplateRow, templatesFrom } from "./rows.ts";

test("while many large templates are listed, other requests have their turn", async () => {
  const variables = Array.from({ length: 200 }, (_, at) => ({
    ...{ key: `key ${at}`, label: `Label ${at}`, type: "text", required: false, options: [], gates: [] },
    ...{ binding: null, helpText: null, defaultValue: null },
  }));
  const rows = Array.from({ length: 400 }, (_, at) => ({
    ...{ id: `${at}`, name: `Template ${at}`, description: null, contractType: "NDA", ourRole: "VENDOR" },
    ...{ titlePattern: null, variables, sections: [], sectionGroups: [], obligations: [], anchors: [] },
  })) as unknown as TemplateRow[];
  let names: string[] = [];
  const { longestMs, totalMs } = await turnsOf(async () => {
    names = (await templatesFrom(rows)).map(({ name }) => name);
  });
  expect(names).toEqual(rows.map(({ name }) => name));
  expect(longestMs).toBeLessThan(totalMs / 3);
});
