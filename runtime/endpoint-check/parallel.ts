// Works on several items at a time.

/** Results in the order of the items. Rejects with the first failure; no further item is begun after it. */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  // All lanes share one iterator.
  const waiting = items.entries();
  let isFailed = false;
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (isFailed) return;
      try {
        results.set(index, await work(item, index));
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
