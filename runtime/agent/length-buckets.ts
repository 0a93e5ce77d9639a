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
  const places = [...lengths.keys()];
  const lengthAt = (place: number) => lengths[place] ?? 0;
  if (places.length > 0 && fits(places.length, Math.max(...lengths))) return [places];
  const runs: number[][] = [];
  for (const place of places.sort((a, b) => lengthAt(a) - lengthAt(b))) {
    const run = runs.at(-1);
    if (run !== undefined && fits(run.length + 1, lengthAt(place))) run.push(place);
    else runs.push([place]);
  }
  return runs;
}
