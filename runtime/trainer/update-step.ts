// What learns: rows of batches mixed with rows that are imitated, update by update. It is handed what came and asked for the next
// update; channels, versions and files are not its affair.

import { type Packed, packed, unpacked } from '../agent/compact-value.ts';
import { runsOf } from '../agent/length-buckets.ts';
import type { NetworkShape } from '../agent/network.ts';
import { renaming } from '../agent/renaming.ts';
import { numbered, type Sample } from '../agent/sample.ts';
import { StepError, sampleFrom } from '../agent/step-sample.ts';
import type { TokenFeatures } from '../agent/tokens.ts';
import type { Batch } from '../core/batch.ts';
import { shuffled } from '../core/chance.ts';
import { LESSON_SORTS, type Lesson, type LessonSort, type LessonStep, type Needs } from '../core/lesson.ts';
import type { Random } from '../core/rng.ts';
import { WEIGHTS } from '../graph/layout.ts';
import type { Program } from '../graph/program.ts';
import { type Tensor, type Tensors, tensor } from '../graph/tensor.ts';
import type { Chances } from './chances.ts';
import { cooled, warmed } from './cooling.ts';
import { type Learned, Learner, type Opens, type Row } from './learner.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { TrainingRecipe } from './recipe.ts';
import { Replay, type Shelved } from './replay.ts';

export interface UpdateStepStart {
  readonly shape: NetworkShape;
  readonly recipe: TrainingRecipe;
  readonly chances: Chances<Random>;
  /** Weights alone, or all that an earlier training had come to. */
  readonly state: Tensors;
  /** Those that the policy is held near to, where the recipe asks for that. */
  readonly reference: Float32Array<ArrayBuffer> | undefined;
}

/** What came of learning from a few rows of a batch, or none, beside some that are imitated. */
export interface Turn {
  readonly ofGroups: number;
  /** Rows that were imitated, of each sort of lesson. */
  readonly imitated: ReadonlyMap<LessonSort, number>;
  /** None where there was nothing to learn from. */
  readonly updates: readonly Learned[];
  /** What should have been imitated and cannot be read; never tried again. */
  readonly unreadable: readonly { readonly thing: string; readonly error: StepError }[];
}

/** A step on a shelf. It is read when it is drawn, each time anew: there are so many that few are drawn twice within seconds. */
interface Kept extends Shelved {
  readonly sort: LessonSort;
  /** Which lesson it is of, in words. */
  readonly thing: string;
  readonly is: Packed<LessonStep>;
}

export class UpdateStep {
  readonly #recipe: TrainingRecipe;
  readonly #learner: Learner;
  readonly #random: Random;
  readonly #replay: Replay<Kept>;
  readonly #reference: Tensor | undefined;
  /** Rows that may still be imitated without groups. */
  #alone = 0;

  private constructor(
    recipe: TrainingRecipe,
    learner: Learner,
    chances: Chances<Random>,
    reference: Tensor | undefined,
  ) {
    this.#recipe = recipe;
    this.#learner = learner;
    this.#random = chances.batches;
    this.#replay = new Replay(recipe.shares, chances.replay);
    this.#reference = reference;
  }

  static async open(
    engine: Opens,
    { shape, recipe, chances, state, reference }: UpdateStepStart,
  ): Promise<UpdateStep> {
    const { objective, optimiser } = recipe;
    const renamed = renaming(chances.renaming, recipe.renaming);
    const weights = flat(state);
    const learner = await Learner.open(
      startingFrom(engine, state),
      { shape, objective, optimiser, renamed },
      weights,
    );
    return new UpdateStep(
      recipe,
      learner,
      chances,
      reference && tensor('float32', [reference.length], reference),
    );
  }

  /** Puts it where it is imitated from. */
  take({ sort, kind, steps }: Lesson): void {
    const thing = `lesson of ${sort} '${kind}'`;
    const { shares, passes } = this.#recipe;
    if (shares[sort] > 0) this.#alone += passes[sort] * steps.length;
    this.#replay.put(
      sort,
      kind,
      steps.map(step => {
        const is = packed(step);
        return { sort, thing, is, size: is.bytes.byteLength };
      }),
    );
  }

  need(needs: Needs): void {
    this.#replay.need(needs);
  }

  /** What the weights say of a batch before it is learned from. Throws a StepError where it cannot be read. */
  async prepare(batch: Batch): Promise<Prepared> {
    const weights = weightsIn(await this.#learner.weights());
    const { highEntropy, objective } = this.#recipe;
    const reference = this.#reference;
    const under = (by: Tensor) => (samples: readonly Sample<TokenFeatures>[]) =>
      this.#learner.assess(samples, by);
    return prepare(batch, {
      ...{ assess: under(weights), masked: highEntropy, truncation: objective.truncation },
      ...(reference !== undefined && { reference: under(reference) }),
    });
  }

  /**
   * The rows of a batch in another order, in parts no larger than an update takes, two at least. All are as large as one another, or one row
   * larger: each part weighs the same, so that a few rows left over would weigh several times as much as the rest.
   */
  parts(rows: readonly Row[]): readonly (readonly Row[])[] {
    const count = Math.min(rows.length, Math.max(2, Math.ceil(rows.length / this.#recipe.policyRows)));
    const mixed = shuffled(this.#random, rows);
    const start = (part: number) => Math.floor((part * rows.length) / count);
    return Array.from({ length: count }, (_, part) => mixed.slice(start(part), start(part + 1)));
  }

  /**
   * Learns from some rows of a batch beside others that are imitated, or from those alone, as long as they have not been imitated often
   * enough. `passed` is the share of the training that is over, `before` how many updates it has made.
   */
  async learn(ofGroups: readonly Row[], passed: number, before: number): Promise<Turn> {
    const { replay, cooling, warmup } = this.#recipe;
    const { imitated, unreadable } = this.#imitated(ofGroups.length > 0 ? replay : this.#takeAlone());
    const policyWeight = this.#recipe.policyWeight / Math.max(1, ofGroups.length);
    const rows = [...ofGroups.map(row => ({ ...row, policyWeight })), ...imitated.keys()];
    const rate = cooled(passed, cooling);
    const updates: Learned[] = [];
    for (const part of ofLikeLength(rows)) {
      const learned = await this.#learner.learn(part, rate * warmed(before + updates.length, warmup));
      for (const [index, row] of part.entries()) {
        const kept = imitated.get(row);
        if (kept !== undefined) this.#replay.surprised(kept, learned.surprises[index] ?? Number.NaN);
      }
      updates.push(learned);
    }
    return { ofGroups: ofGroups.length, imitated: countOfEach([...imitated.values()]), updates, unreadable };
  }

  /** A copy of all that updates change. */
  state(): Promise<Tensors> {
    return this.#learner.state();
  }

  /** A copy of the weights alone: a third of it. */
  weights(): Promise<Tensors> {
    return this.#learner.weights();
  }

  close(): Promise<void> {
    return this.#learner.close();
  }

  /** So many rows are imitated without groups now. */
  #takeAlone(): number {
    const { batch } = this.#recipe;
    const count = this.#alone > 0 ? batch : 0;
    this.#alone -= count;
    return count;
  }

  #imitated(count: number): {
    readonly imitated: ReadonlyMap<Row, Kept>;
    readonly unreadable: Turn['unreadable'];
  } {
    const cloneWeight = this.#recipe.cloneWeight / Math.max(1, count);
    const imitated = new Map<Row, Kept>();
    const unreadable: { readonly thing: string; readonly error: StepError }[] = [];
    for (const kept of this.#replay.draw(count)) {
      try {
        const sample = sampleOf(kept);
        imitated.set({ sample, policyWeight: 0, cloneWeight }, kept);
      } catch (error) {
        if (!(error instanceof StepError)) throw error;
        this.#replay.spoilt(kept);
        unreadable.push({ thing: kept.thing, error });
      }
    }
    return { imitated, unreadable };
  }
}

/** Of sorts that were not drawn there are none. */
const countOfEach = (imitated: readonly Kept[]): Turn['imitated'] =>
  new Map(LESSON_SORTS.map(sort => [sort, imitated.filter(kept => kept.sort === sort).length]));

/** Throws a StepError where it cannot be read. */
function sampleOf(kept: Kept): Sample<TokenFeatures> {
  const { observation, decisions } = unpacked(kept.is);
  return numbered(sampleFrom(observation, decisions));
}

function weightsIn({ [WEIGHTS]: weights }: Tensors): Tensor {
  if (weights === undefined) throw new RangeError('A training starts from weights, and has none.');
  return weights;
}

/** The flat vector of a state. Megabytes, which are not copied where they need not be. */
export function flat(state: Tensors): Float32Array<ArrayBuffer> {
  const { data } = weightsIn(state);
  return data instanceof Float32Array ? data : Float32Array.from(data, Number);
}

/** An engine whose programs have what they keep of this state from the start. */
const startingFrom = (engine: Opens, state: Tensors): Opens => ({
  open: async (program: Program) => {
    const session = await engine.open(program);
    const known = program.state.flatMap(({ name }) => {
      const value = state[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    await session.write(Object.fromEntries(known));
    return session;
  },
});

/**
 * The shorter and the longer half: rows are filled up to the longest beside them, and most are half as long as the longest. A half that is
 * too large for one run, as one of a thousand is, makes several.
 */
function ofLikeLength(rows: readonly Row[]): readonly (readonly Row[])[] {
  const lengthOf = ({ sample }: Row) => sample.tokens.count;
  const sorted = rows.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  const middle = Math.ceil(sorted.length / 2);
  return [sorted.slice(0, middle), sorted.slice(middle)].flatMap(half =>
    runsOf(half.map(lengthOf)).map(run => run.flatMap(place => half[place] ?? [])),
  );
}
