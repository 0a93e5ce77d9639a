// The window of recent results that all decisions about a task use. Pure.

/** Number of recent results per task. */
export const RESULT_WINDOW = 16;

/** The share of successes; undefined without results. */
export const successRate = (results: readonly boolean[]): number | undefined =>
  results.length === 0 ? undefined : successes(results) / results.length;

export const successes = (results: readonly boolean[]): number => results.filter(Boolean).length;

/** Appends a result and keeps the last `window` ones. */
export const appendResult = <T>(results: readonly T[], last: T, window = RESULT_WINDOW): readonly T[] =>
  [...results, last].slice(-window);
