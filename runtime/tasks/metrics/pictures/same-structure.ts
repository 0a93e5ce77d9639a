// Whether two pictures show the same, by structural similarity or by the squares of their differences.

import { convert } from '../../formats/picture/convert.ts';
import type { DecodedPicture } from '../../formats/picture/picture.ts';
import { LANCZOS, resize } from '../../formats/picture/resize.ts';
import { MIN_SSIM_SIZE, structuralSimilarity } from '../../similarity/structural-similarity.ts';

const DEFAULT_THRESHOLD = 0.9;

/** The mean similarity of red, green and blue reaches the threshold. Pictures of different or very small sizes never do. */
export function isSameStructure(
  first: DecodedPicture,
  second: DecodedPicture,
  threshold: number = DEFAULT_THRESHOLD,
): boolean {
  const { width, height } = first;
  if (width !== second.width || height !== second.height || Math.min(width, height) < MIN_SSIM_SIZE)
    return false;
  const [a, b] = [convert(first, 'RGB'), convert(second, 'RGB')];
  const similarities = [0, 1, 2].map(offset => {
    const plane = ({ samples }: DecodedPicture) => ({ samples, offset, step: 3 });
    return structuralSimilarity(plane(a), plane(b), width, height);
  });
  return similarities.reduce((sum, each) => sum + each, 0) / 3 >= threshold;
}

/** The mean square of the differences, with samples from 0 to 1, is below a limit. */
export function isSameByDifferences(first: DecodedPicture, second: DecodedPicture, limit: number): boolean {
  const [a, b] = [
    convert(resize(first, second.width, second.height, LANCZOS), 'RGB'),
    convert(second, 'RGB'),
  ];
  let total = 0;
  b.samples.forEach((sample, index) => {
    total += (((a.samples[index] ?? 0) - sample) / 255) ** 2;
  });
  return total / b.samples.length < limit;
}
