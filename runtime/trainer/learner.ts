// The learner: holds the weights and makes them better, a batch of rows at a time. Each row says how it trains: as a step of a
// group, by its advantage, or by imitation. Where rows come from is not told here.

import { ReusedMemory } from '../agent/feed-memory.ts';
import { feedsOf } from '../agent/feeds.ts';
import { SLOTS } from '../agent/kinds.ts';
import { runsOf } from '../agent/length-buckets.ts';
import type { NetworkShape } from '../agent/network.ts';
import type { ObjectiveOptions } from '../agent/objective.ts';
import { assessingProgram, learningProgram } from '../agent/programs.ts';
import type { Sample } from '../agent/sample.ts';
import type { TokenFeatures } from '../agent/tokens.ts';
import type { AdamOptions } from '../graph/adam.ts';
import { WEIGHTS } from '../graph/layout.ts';
import type { Program } from '../graph/program.ts';
import type { Session } from '../graph/session.ts';
import type { Tensor, Tensors } from '../graph/tensor.ts';

export interface Row {
  readonly sample: Sample<TokenFeatures>;
  /** The share of the policy gradient that this row has; 0 for one that is only imitated. */
  readonly policyWeight: number;
  readonly cloneWeight: number;
  readonly advantage?: number;
  /** Of the choices, slot by slot, under the weights at the start of the batch. */
  readonly old?: readonly number[];
  readonly reference?: readonly number[];
}

export interface LearnerOptions {
  readonly shape: NetworkShape;
  readonly objective: ObjectiveOptions;
  readonly optimiser: AdamOptions;
  /** Of rows that are imitated only, names are replaced by others. */
  readonly renamed?: (row: TokenFeatures) => readonly string[];
}

export interface Assessed {
  readonly logProbabilities: readonly number[];
  readonly uncertainties: readonly number[];
  /** Whether there was more than one choice. */
  readonly open: readonly boolean[];
}

export interface Learned {
  readonly loss: number;
  readonly cloneLoss: number;
  readonly gradientNorm: number;
  readonly clipped: number;
  readonly kl: number;
  readonly applied: boolean;
  /** How little each row was expected: minus the logarithm of the probability of all that was chosen. */
  readonly surprises: readonly number[];
}

/** Opens programs where they are to run. */
export interface Opens {
  open(program: Program): Promise<Session>;
}

const S = SLOTS.length;

export class Learner {
  readonly #options: LearnerOptions;
  readonly #training: Session;
  readonly #assessing: Session;
  readonly #memory = new ReusedMemory();

  private constructor(options: LearnerOptions, training: Session, assessing: Session) {
    this.#options = options;
    this.#training = training;
    this.#assessing = assessing;
  }

  static async open(
    engine: Opens,
    options: LearnerOptions,
    weights: Float32Array<ArrayBuffer>,
  ): Promise<Learner> {
    const { shape, objective, optimiser } = options;
    const training = await engine.open(learningProgram(shape, objective, optimiser));
    await training.write({ weights: { dtype: 'float32', dims: [weights.length], data: weights } });
    return new Learner(options, training, await engine.open(assessingProgram(shape)));
  }

  async close(): Promise<void> {
    await this.#training.close();
    await this.#assessing.close();
  }

  /** All that an update changes: weights, moments and the count of steps. */
  state(): Promise<Tensors> {
    return this.#training.read();
  }

  /** A copy of the weights alone. */
  weights(): Promise<Tensors> {
    return this.#training.read([WEIGHTS]);
  }

  /** What weights say of choices that were made. */
  async assess(
    samples: readonly Sample<TokenFeatures>[],
    weights: Tensor,
    rows = 32,
  ): Promise<readonly Assessed[]> {
    await this.#assessing.write({ weights });
    const all: Assessed[] = [];
    const lengths = samples.map(({ tokens }) => tokens.count);
    for (const turn of runsOf(lengths, rows)) {
      const some = turn.flatMap(index => samples[index] ?? []);
      const { logProbability, uncertainty, open } = await this.#assessing.run({
        ...feedsOf(
          some.map(({ tokens }) => tokens),
          this.#options.shape.pixels,
          undefined,
          this.#memory,
        ),
        chosen: chosenOf(some),
      });
      for (const [row, index] of turn.entries()) {
        all[index] = {
          logProbabilities: numbersOf(logProbability, row),
          uncertainties: numbersOf(uncertainty, row),
          open: numbersOf(open, row).map(Boolean),
        };
      }
    }
    return all;
  }

  /** One update; `rate` is a share of the optimiser's learning rate, where that is fed. */
  async learn(rows: readonly Row[], rate = 1): Promise<Learned> {
    const { shape, renamed, objective, optimiser } = this.#options;
    const samples = rows.map(({ sample }) => sample);
    const feeds = {
      ...feedsOf(
        samples.map(({ tokens }) => tokens),
        shape.pixels,
        (tokens, index) =>
          renamed !== undefined && rows[index]?.policyWeight === 0 ? renamed(tokens) : tokens.lexicon,
        this.#memory,
      ),
      chosen: chosenOf(samples),
      used: table(samples.map(({ used }) => used)),
      advantage: list(rows.map(({ advantage = 0 }) => advantage)),
      old: table(rows.map(({ old = NONE }) => old)),
      policyWeight: list(rows.map(({ policyWeight }) => policyWeight)),
      cloneWeight: list(rows.map(({ cloneWeight }) => cloneWeight)),
      ...(optimiser.learningRate.fed && {
        rate: { dtype: 'float32' as const, dims: [], data: Float32Array.of(rate) },
      }),
      // A demonstration has no probabilities of its own: the trainer's own stand in for them.
      ...(objective.truncation > 0 && {
        rollout: table(rows.map(({ sample, old = NONE }) => sample.logProbabilities ?? old)),
      }),
      ...(objective.divergence > 0 && { reference: table(rows.map(({ reference = NONE }) => reference)) }),
    };
    const results = await this.#training.run(feeds);
    const number = (name: string) => Number(results[name]?.data[0]);
    return {
      loss: number('loss'),
      cloneLoss: number('cloneLoss'),
      gradientNorm: number('grad_norm'),
      clipped: number('clipped'),
      kl: number('kl'),
      applied: number('applied') === 1,
      surprises: rows.map((_, row) =>
        surprise(numbersOf(results['logProbability'], row), samples[row]?.used ?? []),
      ),
    };
  }
}

const surprise = (logProbabilities: readonly number[], used: readonly number[]): number =>
  -logProbabilities.reduce((sum, each, slot) => sum + each * (used[slot] ?? 0), 0);

const NONE = SLOTS.map(() => 0);

const list = (numbers: readonly number[]): Tensor => ({
  dtype: 'float32',
  dims: [numbers.length],
  data: Float32Array.from(numbers),
});

const table = (rows: readonly (readonly number[])[]): Tensor => ({
  dtype: 'float32',
  dims: [rows.length, S],
  data: Float32Array.from(rows.flat()),
});

const chosenOf = (samples: readonly Sample<TokenFeatures>[]): Tensor => ({
  dtype: 'int32',
  dims: [samples.length, S],
  data: Int32Array.from(samples.flatMap(({ chosen }) => chosen)),
});

const numbersOf = (values: Tensor | undefined, row: number): readonly number[] =>
  SLOTS.map((_, slot) => Number(values?.data[row * S + slot]));
