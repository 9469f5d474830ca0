import { expect, test } from "@playwright/test";
import { ageWords, dayWords, momentWords } from "./time.tsx";

const now = "2031-05-01T12:00:00.000Z";
const before = (seconds: number) => new Date(Date.parse(now) - seconds * 1000).toISOString();

test("an age is shown in its largest whole unit", () => {
  expect(ageWords(before(59), now)).toBe("just now");
  expect(ageWords(before(60), now)).toBe("1 minute ago");
  expect(ageWords(before(3 * 3600 + 3599), now)).toBe("3 hours ago");
  expect(ageWords(before(86_400), now)).toBe("yesterday");
  expect(ageWords(before(800 * 86_400), now)).toBe("2 years ago");
});

test("dates are written in the Gregorian calendar in every language", () => {
  expect(dayWords("2031-05-01", "th-TH")).toContain("2031");
  expect(dayWords("2031-05-01", "fa-IR-u-nu-latn")).toContain("2031");
  expect(momentWords(now, { locale: "th-TH", timeZone: "UTC" })).toContain("2031");
});

test("a time ahead of the page's clock is shown as just now", () => {
  expect(ageWords(before(-59), now)).toBe("just now");
  expect(ageWords(before(-3 * 86_400), now)).toBe("just now");
});
