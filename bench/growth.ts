/** Measures whether a process's memory stays flat over time. */

export interface Sample {
  minute: number;
  mb: number;
}

/**
 * Returns megabytes per minute: the slope of the line through the minimum of each twelfth of the time. Whatever lies
 * above the minimum is garbage that is not collected yet. The first sixth, in which caches fill, is left out. For an
 * hour this means the minimum of every five minutes, after the first ten.
 */
export function growthOf(samples: Sample[], minutes: number): number {
  const twelfth = minutes / 12;
  const least = Array.from({ length: 10 }, (_, index) => {
    const from = (index + 2) * twelfth;
    const some = samples.filter(({ minute }) => minute >= from && minute < from + twelfth);
    return { minute: from + twelfth / 2, mb: Math.min(...some.map(({ mb }) => mb)) };
  });
  const mean = (of: keyof Sample) => least.reduce((sum, one) => sum + one[of], 0) / least.length;
  const [minute, mb] = [mean("minute"), mean("mb")];
  const above = least.reduce((sum, one) => sum + (one.minute - minute) * (one.mb - mb), 0);
  const below = least.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0);
  return above / below;
}
