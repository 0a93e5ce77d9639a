// One update of the weights: rows of a batch mixed with rows of lessons, then the optimiser. It knows no channels, versions or files.

import { runsOf } from '../agents/compact/length-buckets.ts';
import type { NetworkShape } from '../agents/compact/network.ts';
import { renaming } from '../agents/compact/renaming.ts';
import { type Sample, withoutMeanings } from '../agents/compact/sample.ts';
import {
  deserializeValue,
  type SerializedValue,
  serializeValue,
} from '../agents/compact/serialized-value.ts';
import { StepError, sampleFrom } from '../agents/compact/step-sample.ts';
import type { TokenFeatures } from '../agents/compact/token-features.ts';
import { at } from '../core/at.ts';
import type { Batch } from '../core/batch.ts';
import { shuffled } from '../core/chance.ts';
import { LESSON_SORTS, type Lesson, type LessonSort, type LessonStep, type Needs } from '../core/lesson.ts';
import type { Random } from '../core/rng.ts';
import { sum } from '../core/sum.ts';
import { WEIGHTS } from '../graph/layout.ts';
import { type Tensor, type Tensors, tensor } from '../graph/tensor.ts';
import { rowDivisors, withinBudget } from './aggregation.ts';
import { LessonReplay, type ReplayItem } from './lesson-replay.ts';
import {
  NetworkTrainer,
  type OptimiserResult,
  type ProgramEngine,
  type TrainingRow,
} from './network-trainer.ts';
import { type PreparedBatch, prepare } from './prepare.ts';
import type { RandomStreams } from './random-streams.ts';
import type { TrainingRecipe } from './recipe.ts';

export interface UpdateStepStart {
  readonly shape: NetworkShape;
  readonly recipe: TrainingRecipe;
  readonly chances: RandomStreams<Random>;
  /** The weights alone, or the whole state of an earlier training. */
  readonly state: Tensors;
  /** The reference weights of the KL term; undefined where β is 0. */
  readonly reference: Float32Array<ArrayBuffer> | undefined;
}

/** The result of one update. */
export interface UpdateResult {
  /** Rows of groups. */
  readonly groupRows: number;
  /** The sum of their weights in the policy loss. */
  readonly groupWeight: number;
  /** Rows of lessons, by sort. */
  readonly imitatedRows: ReadonlyMap<LessonSort, number>;
  /** Rows of demonstrations by people that were transferred to other instances. */
  readonly personTransferRows: number;
  /** Optimiser steps; none without rows. */
  readonly steps: readonly OptimiserResult[];
  /** Lessons that cannot be parsed. They are discarded. */
  readonly unreadable: readonly { readonly thing: string; readonly error: StepError }[];
}

/** A step of a lesson, stored as bytes and parsed when it is drawn: few steps are drawn twice within seconds. */
interface StoredStep extends ReplayItem {
  readonly sort: LessonSort;
  readonly isPersonTransfer: boolean;
  /** The lesson, for error messages. */
  readonly thing: string;
  readonly bytes: SerializedValue<LessonStep>;
}

export class UpdateStep {
  readonly #recipe: TrainingRecipe;
  readonly #learner: NetworkTrainer;
  readonly #random: Random;
  readonly #replay: LessonReplay<StoredStep>;
  readonly #reference: Tensor | undefined;
  /** Rows of lessons that may still train without a batch. */
  #pureImitationBudget = 0;

  private constructor(
    recipe: TrainingRecipe,
    learner: NetworkTrainer,
    chances: RandomStreams<Random>,
    reference: Tensor | undefined,
  ) {
    this.#recipe = recipe;
    this.#learner = learner;
    this.#random = chances.batches;
    this.#replay = new LessonReplay(recipe.shares, chances.replay);
    this.#reference = reference;
  }

  static async open(
    engine: ProgramEngine,
    { shape, recipe, chances, state, reference }: UpdateStepStart,
  ): Promise<UpdateStep> {
    const { objective, optimiser } = recipe;
    const renamed = renaming(chances.renaming, recipe.renaming);
    const learner = await NetworkTrainer.open(engine, { shape, objective, optimiser, renamed }, state);
    return new UpdateStep(
      recipe,
      learner,
      chances,
      reference && tensor('float32', [reference.length], reference),
    );
  }

  /** Adds a lesson to the replay memory, in place of an earlier one of its trajectory; nothing if imitation is off. */
  addLesson({ sort, kind, from, transferredFrom, steps }: Lesson): void {
    const thing = `lesson of ${sort} '${kind}'`;
    const isPersonTransfer = transferredFrom === 'person';
    const { shares, passes, cloneWeight } = this.#recipe;
    // An update of weight 0 would still move the weights, by the momentum of the optimiser.
    if (cloneWeight === 0) return;
    const isKnown = from !== undefined && this.#replay.forget(from);
    // Lessons that are sent again get no further passes.
    if (shares[sort] > 0 && !isKnown) this.#pureImitationBudget += passes[sort] * steps.length;
    this.#replay.add(
      sort,
      kind,
      steps.map(step => {
        const bytes = serializeValue(step);
        return { sort, isPersonTransfer, thing, bytes, size: bytes.bytes.byteLength };
      }),
      from,
    );
  }

  setWeights(needs: Needs): void {
    this.#replay.setWeights(needs);
  }

  /** Assesses a batch under the present weights (π_old). Throws a StepError if a step cannot be parsed. */
  async prepare(batch: Batch): Promise<PreparedBatch> {
    const weights = weightsIn(await this.#learner.weights());
    const { highEntropy, filtersSteps, objective } = this.#recipe;
    const reference = this.#reference;
    const under = (by: Tensor) => (samples: readonly Sample<TokenFeatures>[]) =>
      this.#learner.assess(samples, by);
    return prepare(batch, {
      ...{ assess: under(weights), masked: highEntropy, filtered: filtersSteps },
      truncation: objective.truncation,
      ...(reference !== undefined && { reference: under(reference) }),
    });
  }

  /**
   * The rows of a batch, shuffled and split into at least two parts of at most `policyRows` rows. Sizes differ by at most one row, since
   * each part has the same weight in the loss. With a budget, parts of this many decisions instead.
   */
  parts(rows: readonly TrainingRow[]): readonly (readonly TrainingRow[])[] {
    const { policyRows, budget } = this.#recipe;
    const mixed = shuffled(this.#random, rows);
    if (budget > 0) return withinBudget(mixed, decisionsIn, budget);
    const count = Math.min(rows.length, Math.max(2, Math.ceil(rows.length / policyRows)));
    const start = (part: number) => Math.floor((part * rows.length) / count);
    return Array.from({ length: count }, (_, part) => mixed.slice(start(part), start(part + 1)));
  }

  /**
   * Trains on rows of groups beside rows of lessons; without rows of groups, on lessons alone while their budget lasts. `passed` is the share
   * of the training time that is over, `before` the number of earlier optimiser steps.
   */
  async update(groupRows: readonly TrainingRow[], passed: number, before: number): Promise<UpdateResult> {
    const { replay, cooling, warmupUpdates } = this.#recipe;
    const { imitated, unreadable } = this.#drawLessons(
      groupRows.length > 0 ? replay : this.#takePureImitation(),
    );
    const divisors = rowDivisors(groupRows.map(decisionsIn), this.#recipe);
    const weighted = groupRows.map((row, index) => ({
      ...row,
      policyWeight: this.#recipe.policyWeight / at(divisors, index),
    }));
    const rows = [...weighted, ...imitated.keys()];
    const rate = cosineDecay(passed, cooling);
    const steps: OptimiserResult[] = [];
    // In random order: otherwise long rows would always train after a step on short ones.
    for (const part of shuffled(this.#random, halvesByLength(rows))) {
      const learned = await this.#learner.step(part, rate * warmUp(before + steps.length, warmupUpdates));
      for (const [index, row] of part.entries()) {
        const kept = imitated.get(row);
        if (kept !== undefined) this.#replay.setSurprise(kept, at(learned.surprises, index));
      }
      steps.push(learned);
    }
    return {
      groupRows: groupRows.length,
      groupWeight: sum(weighted.map(({ policyWeight }) => policyWeight)),
      imitatedRows: countOfEach([...imitated.values()]),
      personTransferRows: [...imitated.values()].filter(({ isPersonTransfer }) => isPersonTransfer).length,
      steps,
      unreadable,
    };
  }

  /** A copy of weights and optimiser state. */
  state(): Promise<Tensors> {
    return this.#learner.state();
  }

  /** A copy of the weights alone, a third of the state. */
  weights(): Promise<Tensors> {
    return this.#learner.weights();
  }

  close(): Promise<void> {
    return this.#learner.close();
  }

  /** The number of rows of an update without groups. */
  #takePureImitation(): number {
    const { batch } = this.#recipe;
    const count = this.#pureImitationBudget > 0 ? batch : 0;
    this.#pureImitationBudget -= count;
    return count;
  }

  #drawLessons(count: number): {
    readonly imitated: ReadonlyMap<TrainingRow, StoredStep>;
    readonly unreadable: UpdateResult['unreadable'];
  } {
    const cloneWeight = this.#recipe.cloneWeight / Math.max(1, count);
    const imitated = new Map<TrainingRow, StoredStep>();
    const unreadable: { readonly thing: string; readonly error: StepError }[] = [];
    for (const kept of this.#replay.draw(count)) {
      try {
        const sample = sampleOf(kept);
        imitated.set({ sample, policyWeight: 0, cloneWeight }, kept);
      } catch (error) {
        if (!(error instanceof StepError)) throw error;
        this.#replay.discard(kept);
        unreadable.push({ thing: kept.thing, error });
      }
    }
    return { imitated, unreadable };
  }
}

/** The decisions of a step, which its terms are averaged over. */
const decisionsIn = ({ sample: { used } }: TrainingRow): number => sum(used);

/** Sorts without rows count 0. */
const countOfEach = (imitated: readonly StoredStep[]): UpdateResult['imitatedRows'] =>
  new Map(LESSON_SORTS.map(sort => [sort, imitated.filter(kept => kept.sort === sort).length]));

/** Throws a StepError if the step cannot be parsed. */
function sampleOf(kept: StoredStep): Sample<TokenFeatures> {
  const { observation, choice } = deserializeValue(kept.bytes);
  return withoutMeanings(sampleFrom(observation, choice));
}

function weightsIn({ [WEIGHTS]: weights }: Tensors): Tensor {
  if (weights === undefined)
    throw new RangeError('The state of the trainer has no weights. Resume from another checkpoint.');
  return weights;
}

/** The flat weight vector of a state; copied only if it is no Float32Array. */
export function flat(state: Tensors): Float32Array<ArrayBuffer> {
  const { data } = weightsIn(state);
  return data instanceof Float32Array ? data : Float32Array.from(data, Number);
}

/**
 * The shorter and the longer half of the rows. Rows are padded to the longest of their run, so two runs cost less than one. A half that
 * exceeds the memory of a run becomes several. Rows keep their share of the whole update: a half with one row of a group must not give
 * it the weight of all.
 */
function halvesByLength(rows: readonly TrainingRow[]): readonly (readonly TrainingRow[])[] {
  const lengthOf = ({ sample }: TrainingRow) => sample.tokens.count;
  const sorted = rows.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  const middle = Math.ceil(sorted.length / 2);
  return [sorted.slice(0, middle), sorted.slice(middle)].flatMap(half =>
    runsOf(half.map(lengthOf)).map(run => run.map(place => at(half, place))),
  );
}

/** A factor from 1 at the start to `floor` at the end. `passed` is the share of the training time, from 0 to 1. */
export const cosineDecay = (passed: number, floor: number): number =>
  floor + ((1 - floor) * (1 + Math.cos(Math.PI * Math.min(1, Math.max(0, passed))))) / 2;

/** A factor that rises to 1 over `warmup` updates. `before` counts the earlier updates. */
export const warmUp = (before: number, warmup: number): number =>
  warmup === 0 ? 1 : Math.min(1, (before + 1) / warmup);
