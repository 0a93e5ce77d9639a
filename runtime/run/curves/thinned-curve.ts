// The curve of a long run as pages and saved states have it: they are sent and written several times a second. curve.csv has every point. Pure.

import type { EvaluationPoint } from '../../protocol/daemon/state.ts';

/** Points of a split. A chart is narrower. */
const MAX_POINTS = 1000;

/** At most a thousand points of each split at equal distances, and its newest. Their order stays. A thinned curve stays as it is. */
export function thinnedCurve(curve: readonly EvaluationPoint[]): EvaluationPoint[] {
  const counts = new Map<string, number>();
  for (const { split } of curve) counts.set(split, (counts.get(split) ?? 0) + 1);
  const seen = new Map<string, number>();
  return curve.filter(({ split }) => {
    const index = seen.get(split) ?? 0;
    seen.set(split, index + 1);
    const last = (counts.get(split) ?? 0) - 1;
    const distance = Math.max(1, Math.ceil(last / MAX_POINTS));
    return index % distance === 0 || index === last;
  });
}
