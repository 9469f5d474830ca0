/** Reproducible random numbers: a run prints its seed, and FAULTS_SEED sets it. */
import { randomInt } from "node:crypto";

export const seed = Number(process.env.FAULTS_SEED || randomInt(2 ** 31));

/** Returns a generator of numbers in [0, 1) (mulberry32). Each name has its own sequence, independent of timing. */
export function randomNumbers(name: string): () => number {
  let state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}
