import { expect, test } from "@playwright/test";
import { initialsOf } from "./initials.ts";

test("initials are the first grapheme of each of the first four words", () => {
  expect(initialsOf(" Dana  Fox ")).toBe("DF");
  expect(initialsOf("A B C D E")).toBe("ABCD");
  expect(initialsOf("o\u0323la 👩‍👧 \u{1D49C}b")).toBe("o\u0323👩‍👧\u{1D49C}");
  expect(initialsOf("")).toBe("");
});
