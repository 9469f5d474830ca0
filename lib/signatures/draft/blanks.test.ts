/** Which blanks of a document remain open, given the fields placed on it. */
import { expect, test } from "@playwright/test";
import { type Place, unfilled } from "./blanks.ts";

const at = (xPct: number, yPct: number, wPct = 30, hPct = 2, pageIndex = 0): Place => ({
  ...{ pageIndex, xPct, yPct, wPct, hPct },
});
const named = (place: Place, text = "________") => ({ ...place, text });

test("a field over a blank fills it in", () => {
  expect(unfilled([named(at(10, 50))], [at(12, 47, 25, 4)])).toEqual([]);
});

test("a field beside a blank, on its line or slightly above, fills it in", () => {
  expect(unfilled([named(at(10, 50))], [at(55, 50)])).toEqual([]);
  expect(unfilled([named(at(40, 50))], [at(5, 47.5, 30, 2)])).toEqual([]);
});

test("a field on another line or page fills in no blank", () => {
  const blank = named(at(10, 50));
  expect(unfilled([blank], [at(10, 55)])).toEqual([blank]);
  expect(unfilled([blank], [at(10, 44)])).toEqual([blank]);
  expect(unfilled([blank], [at(10, 50, 30, 2, 1)])).toEqual([blank]);
});

test("a field beside several blanks fills in the nearest one, and a field over several all of them", () => {
  const [first, second] = [named(at(10, 50, 20)), named(at(60, 50, 20))];
  expect(unfilled([first, second], [at(10, 48, 20, 4)])).toEqual([second]);
  expect(unfilled([first, second], [at(40, 50, 15)])).toEqual([first]);
  expect(unfilled([first, second], [at(5, 48, 90, 4)])).toEqual([]);
});
