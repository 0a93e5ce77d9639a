// A hash of 64 bits that similar pictures share, as `phash` of the library ImageHash: which of the low frequencies of a grey picture of
// 32 × 32 pixels are above their median.

export const HASHED_SIZE = 32;
const HASH_SIDE = 8;

/** The hash of HASHED_SIZE² grey samples, row by row. */
export function perceptualHash(greys: ArrayLike<number>): readonly boolean[] {
  const columns = transformed(greys, (line, index) => index * HASHED_SIZE + line);
  const frequencies = transformed(columns, (line, index) => line + index * HASHED_SIZE);
  const low = Array.from(
    { length: HASH_SIDE * HASH_SIDE },
    (_, index) => frequencies[Math.floor(index / HASH_SIDE) + (index % HASH_SIDE) * HASHED_SIZE] ?? 0,
  );
  const sorted = [...low].sort((a, b) => a - b);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  return low.map(value => value > median);
}

export const hashDistance = (first: readonly boolean[], second: readonly boolean[]): number =>
  first.filter((bit, index) => bit !== second[index]).length;

/** The discrete cosine transform of each line. The result has the transformed line in the place of the line. */
function transformed(
  values: ArrayLike<number>,
  place: (line: number, index: number) => number,
): Float64Array {
  const result = new Float64Array(HASHED_SIZE * HASHED_SIZE);
  for (let line = 0; line < HASHED_SIZE; line++)
    for (let frequency = 0; frequency < HASH_SIDE; frequency++) {
      let sum = 0;
      for (let index = 0; index < HASHED_SIZE; index++)
        sum +=
          (values[place(line, index)] ?? 0) *
          Math.cos((Math.PI * frequency * (2 * index + 1)) / (2 * HASHED_SIZE));
      result[line * HASHED_SIZE + frequency] = 2 * sum;
    }
  return result;
}
