// Turns a batch into training rows: assesses every step under the present weights (DART's π_old), selects the steps that train, and
// measures the distance to the weights of the rollouts.

import { KINDS } from '../agents/compact/action-kinds.ts';
import { type Sample, withoutMeanings } from '../agents/compact/sample.ts';
import { sampleFrom } from '../agents/compact/step-sample.ts';
import type { TokenFeatures } from '../agents/compact/token-features.ts';
import { at } from '../core/at.ts';
import type { Batch, BatchGroup, EntropyMask, MaskedRollout } from '../core/batch.ts';
import type { TrajectoryId } from '../core/ids.ts';
import { sum } from '../core/sum.ts';
import { highEntropyMask, type StepMask, stepUncertainty } from './mask.ts';
import type { AssessedStep, TrainingRow } from './network-trainer.ts';

export interface PreparedBatch {
  /** The steps that train, in the batch's order. */
  readonly rows: readonly TrainingRow[];
  /** One per group. */
  readonly masks: readonly EntropyMask[];
  /** Metrics by name; only those with a value. */
  readonly figures: ReadonlyMap<string, number>;
}

type Assess = (samples: readonly Sample<TokenFeatures>[]) => Promise<readonly AssessedStep[]>;

interface Step {
  readonly row: TrainingRow;
  readonly uncertainty: number;
  readonly kept: boolean;
}

interface Preparing {
  /** Under the present weights. */
  readonly assess: Assess;
  /** Under the reference weights; absent where β is 0. */
  readonly reference?: Assess;
  /** Whether only high-entropy steps train. */
  readonly masked: boolean;
  /** Whether steps with advantage 0 are left out. */
  readonly filtered: boolean;
  readonly truncation: number;
}

/** Throws a StepError if a step cannot be parsed. */
export async function prepare(
  { id, groups }: Batch,
  { assess, reference, masked, filtered, truncation }: Preparing,
): Promise<PreparedBatch> {
  // Parse everything before assessing anything: a batch trains as a whole or not at all. Rows live for many updates, so parts that
  // only acting needs are dropped: dozens of objects per row, which every garbage collection would visit.
  const read = groups.map(group => ({
    group,
    samples: group.steps.map(({ observation, choice }) => withoutMeanings(sampleFrom(observation, choice))),
  }));
  const assessed = await assess(read.flatMap(({ samples }) => samples));
  const steps: Step[] = [];
  const masks: EntropyMask[] = [];
  for (const { group, samples } of read) {
    const ofSteps = assessed.slice(steps.length, steps.length + samples.length);
    const ofGroup = stepsOf(group, samples, ofSteps, { masked, filtered });
    steps.push(...ofGroup.steps);
    const shown = ofGroup.steps.map(({ uncertainty, kept }, index) => ({
      ...{ uncertainty, kept },
      advantage: at(group.steps, index).advantage,
    }));
    masks.push({
      batch: id,
      group: group.group,
      threshold: ofGroup.threshold,
      steps: shown,
      rollouts: rolloutsOf(group),
    });
  }
  const kept = steps.filter(step => step.kept).map(({ row }) => row);
  const rows = reference === undefined ? kept : await withReference(kept, reference);
  return { rows, masks, figures: figuresOf(steps, rows, truncation) };
}

async function withReference(rows: readonly TrainingRow[], assess: Assess): Promise<readonly TrainingRow[]> {
  const assessed = await assess(rows.map(({ sample }) => sample));
  return rows.map((row, index) => ({ ...row, reference: at(assessed, index).logProbabilities }));
}

/** The steps of a trajectory are adjacent. */
export function rolloutsOf({ steps }: Pick<BatchGroup, 'steps'>): readonly MaskedRollout[] {
  const rollouts = new Map<TrajectoryId, readonly number[]>();
  for (const { trajectory, advantage } of steps)
    rollouts.set(trajectory, [...(rollouts.get(trajectory) ?? []), advantage]);
  return [...rollouts].map(([trajectory, all]) => ({
    ...{ trajectory, steps: all.length, advantage: sum(all) / all.length },
  }));
}

function stepsOf(
  { steps }: BatchGroup,
  samples: readonly Sample<TokenFeatures>[],
  assessed: readonly AssessedStep[],
  { masked, filtered }: Pick<Preparing, 'masked' | 'filtered'>,
): { readonly steps: readonly Step[]; readonly threshold: number } {
  const uncertainties = assessed.map(({ uncertainties: shares, open }, index) =>
    stepUncertainty(shares, at(samples, index).used, open),
  );
  const { threshold, kept }: StepMask = masked
    ? highEntropyMask(uncertainties)
    : { threshold: 0, kept: uncertainties.map(() => true) };
  return {
    threshold,
    steps: samples.map((sample, index) => ({
      row: {
        sample,
        advantage: at(steps, index).advantage,
        policyWeight: 1,
        cloneWeight: 0,
        old: at(assessed, index).logProbabilities,
      },
      uncertainty: at(uncertainties, index),
      kept: at(kept, index) && !(filtered && at(steps, index).advantage === 0),
    })),
  };
}

function figuresOf(
  steps: readonly Step[],
  rows: readonly TrainingRow[],
  truncation: number,
): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  const mean = (name: string, values: readonly number[]) => {
    if (values.length > 0) figures.set(name, sum(values) / values.length);
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
  const ratios = steps.flatMap(({ row }) => logRatios(row, row.old, row.sample.logProbabilities));
  // The truncated importance weight: 1 if the rollout used these weights without random decisions.
  mean(
    'off_policy/weight',
    ratios.map(each => (truncation > 0 ? Math.min(Math.exp(each), truncation) : 1)),
  );
  mean('mismatch_kl', ratios.map(k3));
  // Distance to the reference weights.
  mean('actor/kl_loss', rows.flatMap(row => logRatios(row, row.reference, row.old)).map(k3));
  return figures;
}

/** The k3 estimator of a KL divergence: never negative, 0 for equal distributions. */
const k3 = (apart: number): number => Math.exp(apart) - apart - 1;

/** log one − log other per decision, limited as in the objective; empty if one of them is unknown. */
function logRatios(
  { sample: { used } }: TrainingRow,
  one: readonly number[] | undefined,
  other: readonly number[] | undefined,
): readonly number[] {
  if (one === undefined || other === undefined) return [];
  const apart = one.map((each, slot) => each - at(other, slot));
  return apart.filter((_, slot) => used[slot] === 1).map(each => Math.max(-20, Math.min(20, each)));
}
