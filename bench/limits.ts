/** Figures that have a limit: printed beside it, and the bench fails where one is broken. */

export interface Limited {
  what: string;
  value: number;
  atMost?: number;
  atLeast?: number;
  unit: string;
  digits?: number;
}

const isBroken = ({ value, atMost = Infinity, atLeast = -Infinity }: Limited) =>
  !(value <= atMost && value >= atLeast);

export function judged(figures: Limited[]): string {
  const lines = figures.map((figure) => {
    const { what, value, atMost, atLeast, unit, digits = 0 } = figure;
    const limit = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
    const broken = isBroken(figure) ? "  BROKEN" : "";
    return `${what.padEnd(64)} ${value.toFixed(digits).padStart(9)} ${unit.padEnd(3)} (${limit})${broken}`;
  });
  if (figures.some(isBroken)) process.exitCode = 1;
  return `${lines.join("\n")}\n`;
}
