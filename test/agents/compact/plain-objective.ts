// The objective once more, in plain numbers, as docs and paper say it: one step at a time.

import type { ObjectiveOptions } from '../../../runtime/agents/compact/objective.ts';

/** One number for each decision, but for the advantage, which is the step's. */
export interface PlainStep {
  readonly used: readonly number[];
  readonly now: readonly number[];
  readonly old: readonly number[];
  readonly rollout: readonly number[];
  readonly reference: readonly number[];
  readonly uncertainty: readonly number[];
  readonly advantage: number;
}

export interface PlainTerms {
  readonly surrogate: number;
  readonly divergence: number;
  readonly entropyBonus: number;
  readonly cloning: number;
  readonly clipped: number;
  readonly kl: number;
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const bounded = (log: number): number => within(log, -20, 20);

export function plainTerms(step: PlainStep, options: ObjectiveOptions): PlainTerms {
  const { advantage } = step;
  const totals = { surrogate: 0, divergence: 0, entropyBonus: 0, cloning: 0, clipped: 0, kl: 0 };
  let count = 0;
  for (const [slot, used] of step.used.entries()) {
    if (used === 0) continue;
    const at = (name: 'now' | 'old' | 'rollout' | 'reference' | 'uncertainty') =>
      step[name][slot] ?? Number.NaN;
    const ratio = Math.exp(bounded(at('now') - at('old')));
    const clipped = within(ratio, 1 - options.clipLow, 1 + options.clipHigh);
    let gain = Math.min(ratio * advantage, clipped * advantage);
    if (advantage < 0) gain = Math.max(gain, options.dualClip * advantage);
    const apartThen = Math.exp(bounded(at('old') - at('rollout')));
    const weight = options.truncation > 0 ? Math.min(apartThen, options.truncation) : 1;
    const apart = bounded(at('reference') - at('now'));
    totals.surrogate += weight * gain;
    totals.divergence += Math.exp(apart) - apart - 1;
    totals.entropyBonus += Math.min(at('uncertainty'), options.entropyFloor);
    totals.cloning -= at('now');
    const isHeld =
      advantage > 0 ? ratio > 1 + options.clipHigh : advantage < 0 && ratio < 1 - options.clipLow;
    totals.clipped += isHeld ? 1 : 0;
    totals.kl -= bounded(at('now') - at('old'));
    count += 1;
  }
  const share = 1 / Math.max(1, count);
  return {
    surrogate: totals.surrogate * share,
    divergence: totals.divergence * share,
    entropyBonus: totals.entropyBonus * share,
    cloning: totals.cloning,
    clipped: totals.clipped * share,
    kl: totals.kl * share,
  };
}
