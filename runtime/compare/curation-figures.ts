// Figures of the curation of a run: over time, and at its end. Pure.

import type { CurvePosition } from './comparison.ts';
import type { CurationSample } from './record.ts';

export interface CurationFigures {
  /** Finished groups, and the share of them that trains. */
  readonly groups?: number;
  readonly share?: number;
  readonly pool?: number;
  readonly injections?: number;
  readonly duplicates?: number;
  readonly dropped?: number;
  readonly rollouts?: number;
  readonly lengthLimit?: number;
  readonly staleness?: number;
  readonly maxStaleness?: number;
}

/** The share is measured over this part of the run before each sample. */
const WINDOW_SHARE = 0.1;

/** Counts and gauges of the last sample. The staleness is the mean of its samples, and the maximum of its maxima. */
export function curationFigures(samples: readonly CurationSample[]): CurationFigures {
  const last = samples.at(-1);
  if (last === undefined) return {};
  const { trainable, filtered, seconds: _, staleness: _mean, maxStaleness: _max, ...rest } = last;
  const groups = trainable === undefined || filtered === undefined ? undefined : trainable + filtered;
  const means = samples.flatMap(({ staleness }) => staleness ?? []);
  const highest = samples.flatMap(({ maxStaleness }) => maxStaleness ?? []);
  return {
    ...rest,
    ...(groups !== undefined && { groups }),
    ...(groups !== undefined && trainable !== undefined && groups > 0 && { share: trainable / groups }),
    ...(means.length > 0 && { staleness: means.reduce((sum, each) => sum + each, 0) / means.length }),
    ...(highest.length > 0 && { maxStaleness: highest.reduce((most, each) => Math.max(most, each)) }),
  };
}

/** The share of groups with a gradient among those that finished in the last tenth of the run before each sample. */
export function gradientShare(samples: readonly CurationSample[]): readonly CurvePosition[] {
  const length = WINDOW_SHARE * (samples.at(-1)?.seconds ?? 0);
  return samples.flatMap(({ seconds, trainable, filtered }) => {
    const before = samples.findLast(each => each.seconds <= seconds - length) ?? samples[0];
    if (trainable === undefined || filtered === undefined || before === undefined) return [];
    const gained = trainable - (before.trainable ?? 0);
    const groups = gained + filtered - (before.filtered ?? 0);
    return groups > 0 ? [{ x: seconds, rate: gained / groups }] : [];
  });
}

/** One gauge over time. */
export const gaugeOver = (
  samples: readonly CurationSample[],
  gauge: 'pool' | 'staleness' | 'rollouts',
): readonly CurvePosition[] =>
  samples.flatMap(({ seconds, [gauge]: value }) =>
    value === undefined ? [] : [{ x: seconds, rate: value }],
  );
