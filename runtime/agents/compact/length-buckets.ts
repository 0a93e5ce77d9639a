// Groups rows of similar length into batches. Rows are padded to the longest of their batch; the runtime's memory grows with the
// square of that length and is never returned. A few long screens among short ones would raise memory permanently.

/** Rows × longest²: 32 rows of 104 tokens. About 1 % of the pocket desktop's screens are longer. */
const MAX_AREA = 32 * 104 ** 2;

/** Row indices of each batch: one batch in the given order if it fits, else batches sorted by length. */
export function runsOf(
  lengths: readonly number[],
  maxRows = Number.POSITIVE_INFINITY,
): readonly (readonly number[])[] {
  const fits = (rows: number, longest: number) => rows <= maxRows && rows * longest ** 2 <= MAX_AREA;
  if (lengths.length > 0 && fits(lengths.length, Math.max(...lengths))) return [[...lengths.keys()]];
  const runs: number[][] = [];
  for (const [row, length] of [...lengths.entries()].sort(([, a], [, b]) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && fits(run.length + 1, length)) run.push(row);
    else runs.push([row]);
  }
  return runs;
}
