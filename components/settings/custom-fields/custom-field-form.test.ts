import { expect, test } from "@playwright/test";
import { issuesInForm } from "./custom-field-form.ts";

test("an error about an option names its line, counting blank lines", () => {
  const issues = [
    { path: "options.1", message: "is too long" },
    { path: "name", message: "is taken" },
  ];
  expect(issuesInForm(issues, "First\n\n  \nSecond")).toEqual([
    { path: "options", message: "line 4 is too long" },
    { path: "name", message: "is taken" },
  ]);
});
