// Holm's correction of several tests. Pure.

/** Adjusted p-values, in the given order: those of at most 0.05 hold together with at most 5 % risk of a single false one. */
export function holm(values: readonly number[]): readonly number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted = values.map(() => 1);
  let highest = 0;
  for (const [rank, { value, index }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, value * (values.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}
