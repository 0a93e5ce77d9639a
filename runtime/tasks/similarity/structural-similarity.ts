// The structural similarity (SSIM) of two grey pictures, as scikit-image computes it for 8-bit samples: a uniform window of 7 × 7 pixels,
// sample covariance, and the mean over all windows that lie inside of the picture.

const WINDOW = 7;
const PIXELS = WINDOW * WINDOW;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

export const MIN_SSIM_SIZE = WINDOW;

/** A plane of samples in a longer list: the first sample, and the distance of neighbours. */
export interface Plane {
  readonly samples: ArrayLike<number>;
  readonly offset: number;
  readonly step: number;
}

/** From -1 to 1. Both pictures have this size, of at least MIN_SSIM_SIZE pixels in each direction. */
export function structuralSimilarity(first: Plane, second: Plane, width: number, height: number): number {
  if (width < WINDOW || height < WINDOW)
    throw new RangeError(`SSIM needs at least ${WINDOW} pixels in each direction, not ${width} × ${height}.`);
  // Sums of integers are exact, so the order of additions does not matter.
  const columns = Array.from({ length: 5 }, () => new Float64Array(width));
  let total = 0;
  for (let y = 0; y < height; y++) {
    addRow(columns, first, second, width, y, 1);
    if (y >= WINDOW) addRow(columns, first, second, width, y - WINDOW, -1);
    if (y >= WINDOW - 1) total += rowTotal(columns, width);
  }
  return total / ((width - WINDOW + 1) * (height - WINDOW + 1));
}

/** Adds a row to the sums of each column: x, y, x², y² and xy. */
function addRow(
  columns: readonly Float64Array[],
  first: Plane,
  second: Plane,
  width: number,
  row: number,
  sign: number,
): void {
  const [sumX, sumY, sumXX, sumYY, sumXY] = columns;
  if (!sumX || !sumY || !sumXX || !sumYY || !sumXY) return;
  for (let column = 0; column < width; column++) {
    const pixel = row * width + column;
    const x = first.samples[first.offset + pixel * first.step] ?? 0;
    const y = second.samples[second.offset + pixel * second.step] ?? 0;
    sumX[column] = (sumX[column] ?? 0) + sign * x;
    sumY[column] = (sumY[column] ?? 0) + sign * y;
    sumXX[column] = (sumXX[column] ?? 0) + sign * x * x;
    sumYY[column] = (sumYY[column] ?? 0) + sign * y * y;
    sumXY[column] = (sumXY[column] ?? 0) + sign * x * y;
  }
}

/** The sum of the similarities of all windows whose last row was added last. */
function rowTotal(columns: readonly Float64Array[], width: number): number {
  const sums = [0, 0, 0, 0, 0];
  let total = 0;
  for (let column = 0; column < width; column++) {
    columns.forEach((values, index) => {
      const leaving = column >= WINDOW ? (values[column - WINDOW] ?? 0) : 0;
      sums[index] = (sums[index] ?? 0) + (values[column] ?? 0) - leaving;
    });
    if (column >= WINDOW - 1) total += windowSimilarity(sums);
  }
  return total;
}

function windowSimilarity([x = 0, y = 0, xx = 0, yy = 0, xy = 0]: readonly number[]): number {
  const [meanX, meanY] = [x / PIXELS, y / PIXELS];
  const divisor = PIXELS * (PIXELS - 1);
  const varianceX = (PIXELS * xx - x * x) / divisor;
  const varianceY = (PIXELS * yy - y * y) / divisor;
  const covariance = (PIXELS * xy - x * y) / divisor;
  const numerator = (2 * meanX * meanY + C1) * (2 * covariance + C2);
  return numerator / ((meanX ** 2 + meanY ** 2 + C1) * (varianceX + varianceY + C2));
}
