// Similarity of two lists of lines from 0 to 1, as `difflib.SequenceMatcher.ratio` of Python: twice the lines in matching blocks, divided by
// all lines. The longest block is found first, then those on both sides of it.

/** In lists of at least this length, a line that makes up more than one percent of the second list starts no block. */
const POPULAR_LENGTH = 200;

export function linesRatio(first: readonly string[], second: readonly string[]): number {
  const total = first.length + second.length;
  if (total === 0) return 1;
  const positions = positionsOf(second);
  let matches = 0;
  const ranges: Range[] = [[0, first.length, 0, second.length]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [aLow, aHigh, bLow, bHigh] = range;
    const { a, b, size } = longestBlock(first, second, positions, range);
    if (size === 0) continue;
    matches += size;
    ranges.push([aLow, a, bLow, b], [a + size, aHigh, b + size, bHigh]);
  }
  return (2 * matches) / total;
}

type Range = readonly [aLow: number, aHigh: number, bLow: number, bHigh: number];

function positionsOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const known = positions.get(line);
    if (known === undefined) positions.set(line, [index]);
    else known.push(index);
  });
  if (lines.length < POPULAR_LENGTH) return positions;
  const limit = Math.floor(lines.length / 100) + 1;
  return new Map([...positions].filter(([, indices]) => indices.length <= limit));
}

function longestBlock(
  first: readonly string[],
  second: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  [aLow, aHigh, bLow, bHigh]: Range,
): { a: number; b: number; size: number } {
  let [a, b, size] = [aLow, bLow, 0];
  let lengths = new Map<number, number>();
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>();
    for (const j of positions.get(first[i] ?? '') ?? []) {
      if (j < bLow) continue;
      if (j >= bHigh) break;
      const length = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, length);
      if (length > size) [a, b, size] = [i - length + 1, j - length + 1, length];
    }
    lengths = next;
  }
  // A popular line starts no block but extends one.
  while (a > aLow && b > bLow && first[a - 1] === second[b - 1]) [a, b, size] = [a - 1, b - 1, size + 1];
  while (a + size < aHigh && b + size < bHigh && first[a + size] === second[b + size]) size += 1;
  return { a, b, size };
}
