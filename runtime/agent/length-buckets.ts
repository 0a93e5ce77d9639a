// Which rows go through the network together. Rows are filled up to the longest beside them, and what the runtime needs grows with its
// square; it keeps what it needed once. So a few long screens among many short ones would cost memory for good.

/** Rows times the square of the longest: 32 of 104 tokens. Of a hundred screens of the pocket desktop one is longer. */
const MOST_AREA = 32 * 104 ** 2;

/** The places of rows of such lengths, run by run: as they came where one run is enough, and otherwise like beside like. */
export function runsOf(
  lengths: readonly number[],
  mostRows = Number.POSITIVE_INFINITY,
): readonly (readonly number[])[] {
  const fits = (rows: number, longest: number) => rows <= mostRows && rows * longest ** 2 <= MOST_AREA;
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
