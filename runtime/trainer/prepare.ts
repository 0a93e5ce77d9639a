// From a batch to rows: what the present weights say of every step, which of them train, and how far the rollouts' weights were
// from these. The weights at the start of the batch are DART's π_old.

import { KINDS } from '../agent/kinds.ts';
import { numbered, type Sample } from '../agent/sample.ts';
import { sampleFrom } from '../agent/step-sample.ts';
import type { TokenFeatures } from '../agent/tokens.ts';
import type { Batch, BatchGroup, EntropyMask, MaskedRollout } from '../core/batch.ts';
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

type Assess = (samples: readonly Sample<TokenFeatures>[]) => Promise<readonly Assessed[]>;

interface Step {
  readonly row: Row;
  readonly uncertainty: number;
  readonly kept: boolean;
}

interface Preparing {
  /** What the present weights say. */
  readonly assess: Assess;
  /** What those say that the policy is held near to; absent where it is held near to none. */
  readonly reference?: Assess;
  /** Whether the high-entropy mask is on; without it all steps train. */
  readonly masked: boolean;
  readonly truncation: number;
}

/** Throws a StepError where a step cannot be read. */
export async function prepare(
  { id, groups }: Batch,
  { assess, reference, masked, truncation }: Preparing,
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
  const kept = steps.filter(step => step.kept).map(({ row }) => row);
  const rows = reference === undefined ? kept : await held(kept, reference);
  return { rows, masks, figures: figuresOf(steps, rows, truncation) };
}

async function held(rows: readonly Row[], assess: Assess): Promise<readonly Row[]> {
  const assessed = await assess(rows.map(({ sample }) => sample));
  return rows.map((row, index) => ({ ...row, reference: assessed[index]?.logProbabilities ?? [] }));
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
  samples: readonly Sample<TokenFeatures>[],
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

function figuresOf(
  steps: readonly Step[],
  rows: readonly Row[],
  truncation: number,
): ReadonlyMap<string, number> {
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
  const apart = steps.flatMap(({ row }) => apartOf(row, row.old, row.sample.logProbabilities));
  // What staleness leaves of a decision's gradient: 1 where the rollout's weights were these and chose without daring, or where it is left out.
  mean(
    'off_policy/weight',
    apart.map(each => (truncation > 0 ? Math.min(Math.exp(each), truncation) : 1)),
  );
  mean('mismatch_kl', apart.map(k3));
  // How far the policy has gone from the weights that it is held near to.
  mean('actor/kl_loss', rows.flatMap(row => apartOf(row, row.reference, row.old)).map(k3));
  return figures;
}

/** The estimator of a divergence: never negative, and zero where both agree. */
const k3 = (apart: number): number => Math.exp(apart) - apart - 1;

/** log one − log other of each decision that was made, bounded as in the objective; none where one of the two is not known. */
function apartOf(
  { sample: { used } }: Row,
  one: readonly number[] | undefined,
  other: readonly number[] | undefined,
): readonly number[] {
  if (one === undefined || other === undefined) return [];
  const apart = one.map((each, slot) => each - (other[slot] ?? 0));
  return apart.filter((_, slot) => used[slot] === 1).map(each => Math.max(-20, Math.min(20, each)));
}
