/** Reproducible random numbers: the seed of a run is printed, and FAULTS_SEED sets it. */
import { randomInt } from "node:crypto";

export const seed = Number(process.env.FAULTS_SEED || randomInt(2 ** 31));

/** Numbers from 0 up to 1 (mulberry32). Each name has a row of its own, so that they do not depend on timing. */
export function randomNumbers(name: string): () => number {
  let state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}
