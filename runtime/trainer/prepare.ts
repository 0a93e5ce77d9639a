// From a batch to rows: what the present weights say of every step, which of them train, and how far the rollouts' weights were
// from these. The weights at the start of the batch are DART's π_old.

import type { Batch, BatchGroup, EntropyMask, MaskedRollout } from '../contracts/batch.ts';
import { KINDS } from '../policy/kinds.ts';
import { numbered, type Sample } from '../policy/sample.ts';
import { sampleFrom } from '../policy/step-sample.ts';
import type { Numbered } from '../policy/tokens.ts';
import type { Assessed, Row } from './learner.ts';
import { highEntropy, type Mask, stepUncertainty } from './mask.ts';

export interface Prepared {
  /** The steps that train, in the batch's order. */
  readonly rows: readonly Row[];
  /** One for each group. */
  readonly masks: readonly EntropyMask[];
  /** Under the names that the field uses, see method.md; only those there is something to tell of. */
  readonly figures: ReadonlyMap<string, number>;
}

type Assess = (samples: readonly Sample<Numbered>[]) => Promise<readonly Assessed[]>;

interface Step {
  readonly row: Row;
  readonly uncertainty: number;
  readonly kept: boolean;
}

/** `masked` is whether the high-entropy mask is on; without it all steps train. Throws a StepError where a step cannot be read. */
export async function prepare(
  { id, groups }: Batch,
  assess: Assess,
  masked: boolean,
  truncation: number,
): Promise<Prepared> {
  // All is read before the first is assessed: a batch is learned from as a whole or not at all. It stays for many updates, so what only acting
  // needs is left out: dozens of objects a row, which each collection of garbage would go through.
  const read = groups.map(group => ({
    group,
    samples: group.steps.map(({ observation, decisions }) => numbered(sampleFrom(observation, decisions))),
  }));
  const assessed = await assess(read.flatMap(({ samples }) => samples));
  const steps: Step[] = [];
  const masks: EntropyMask[] = [];
  for (const { group, samples } of read) {
    const said = assessed.slice(steps.length, steps.length + samples.length);
    const ofGroup = stepsOf(group, samples, said, masked);
    steps.push(...ofGroup.steps);
    const shown = ofGroup.steps.map(({ uncertainty, kept }) => ({ uncertainty, kept }));
    masks.push({
      batch: id,
      group: group.group,
      threshold: ofGroup.threshold,
      steps: shown,
      rollouts: rolloutsOf(group),
    });
  }
  const rows = steps.filter(({ kept }) => kept).map(({ row }) => row);
  return { rows, masks, figures: figuresOf(steps, truncation) };
}

/** Steps of one trajectory stand together. */
function rolloutsOf({ steps }: BatchGroup): readonly MaskedRollout[] {
  const rollouts = new Map<string, MaskedRollout>();
  for (const { trajectory, advantage } of steps) {
    const { steps: before = 0 } = rollouts.get(trajectory) ?? {};
    rollouts.set(trajectory, { trajectory, steps: before + 1, advantage });
  }
  return [...rollouts.values()];
}

function stepsOf(
  { steps }: BatchGroup,
  samples: readonly Sample<Numbered>[],
  assessed: readonly Assessed[],
  masked: boolean,
): { readonly steps: readonly Step[]; readonly threshold: number } {
  const uncertainties = assessed.map(({ uncertainties: shares, open }, index) =>
    stepUncertainty(shares, samples[index]?.used ?? [], open),
  );
  const { threshold, kept }: Mask = masked
    ? highEntropy(uncertainties)
    : { threshold: 0, kept: uncertainties.map(() => true) };
  return {
    threshold,
    steps: samples.map((sample, index) => ({
      row: {
        sample,
        advantage: steps[index]?.advantage ?? 0,
        policyWeight: 1,
        cloneWeight: 0,
        old: assessed[index]?.logProbabilities ?? [],
      },
      uncertainty: uncertainties[index] ?? 0,
      kept: kept[index] ?? true,
    })),
  };
}

function figuresOf(steps: readonly Step[], truncation: number): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  const mean = (name: string, values: readonly number[]) => {
    if (values.length > 0) figures.set(name, values.reduce((sum, each) => sum + each, 0) / values.length);
  };
  mean(
    'actor/entropy',
    steps.map(({ uncertainty }) => uncertainty),
  );
  mean(
    'data/kept_steps',
    steps.map(({ kept }) => Number(kept)),
  );
  for (const [number, kind] of KINDS.entries()) {
    const ofKind = steps.filter(({ row }) => row.sample.chosen[0] === number);
    mean(
      `data/kept_steps/${kind}`,
      ofKind.map(({ kept }) => Number(kept)),
    );
  }
  const apart = steps.flatMap(({ row }) => apartOf(row));
  // What staleness leaves of a decision's gradient: 1 where the rollout's weights were these, or where it is left out.
  mean(
    'off_policy/weight',
    apart.map(each => (truncation > 0 ? Math.min(Math.exp(each), truncation) : 1)),
  );
  mean(
    'mismatch_kl',
    apart.map(each => Math.exp(each) - each - 1),
  );
  return figures;
}

/** log π_old − log π_roll of each decision of which the rollout recorded a probability, bounded as in the objective. */
function apartOf({ sample: { used, logProbabilities }, old = [] }: Row): readonly number[] {
  if (logProbabilities === undefined) return [];
  const apart = old.map((each, slot) => each - (logProbabilities[slot] ?? 0));
  return apart.filter((_, slot) => used[slot] === 1).map(each => Math.max(-20, Math.min(20, each)));
}
