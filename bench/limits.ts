/** Figures with a limit: prints each next to its limit, and fails the bench if a limit is broken. */

export interface Limited {
  what: string;
  value: number;
  /** Without atMost and atLeast, the figure is only reported. */
  atMost?: number;
  atLeast?: number;
  unit: string;
  digits?: number;
}

const isBroken = ({ value, atMost, atLeast }: Limited) =>
  (atMost !== undefined && !(value <= atMost)) || (atLeast !== undefined && !(value >= atLeast));

/** Returns lines for people, or one JSON object `{rows}`. Sets a failing exit code if a limit is broken. */
export function judged(figures: Limited[], { json = false } = {}): string {
  if (figures.some(isBroken)) process.exitCode = 1;
  if (json) return `${JSON.stringify({ rows: figures.map((one) => ({ ...one, holds: !isBroken(one) })) })}\n`;
  return figures.map((figure) => `${line(figure)}\n`).join("");
}

function line(figure: Limited): string {
  const { what, value, atMost, atLeast, unit, digits = 0 } = figure;
  const limits = [
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ];
  const limit = limits.length > 0 ? ` (${limits.join(", ")})${isBroken(figure) ? "  BROKEN" : ""}` : "";
  return `${what.padEnd(66)} ${value.toFixed(digits).padStart(9)} ${unit.padEnd(3)}${limit}`.trimEnd();
}
