// How a task went of late: what all decisions about it look back on. Pure.

/** Results of a task that are looked back on; the latest stands at the end. */
export const WINDOW = 16;

/** The share that succeeded; undefined before there are any results. */
export const successRate = (results: readonly boolean[]): number | undefined =>
  results.length === 0 ? undefined : successes(results) / results.length;

export const successes = (results: readonly boolean[]): number => results.filter(Boolean).length;

/** With one more at the end, and no more than are looked back on. */
export const withLast = <T>(results: readonly T[], last: T, window = WINDOW): readonly T[] =>
  [...results, last].slice(-window);
