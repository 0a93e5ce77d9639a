// The network in training: holds weights and optimiser state in an ONNX session, assesses steps and makes optimiser steps. Each row
// says how it trains: by its advantage, or by imitation.

import { SLOTS } from '../agents/compact/action-kinds.ts';
import { ReusedMemory } from '../agents/compact/feed-memory.ts';
import { feedsOf } from '../agents/compact/feeds.ts';
import { runsOf } from '../agents/compact/length-buckets.ts';
import type { NetworkShape } from '../agents/compact/network.ts';
import type { ObjectiveOptions } from '../agents/compact/objective.ts';
import { assessingProgram, learningProgram } from '../agents/compact/programs.ts';
import type { Sample } from '../agents/compact/sample.ts';
import type { TokenFeatures } from '../agents/compact/token-features.ts';
import { at } from '../core/at.ts';
import type { AdamOptions } from '../graph/adam.ts';
import { WEIGHTS } from '../graph/layout.ts';
import type { Program } from '../graph/program.ts';
import type { Session } from '../graph/session.ts';
import { type Tensor, type Tensors, tensorNamed, tensorValue } from '../graph/tensor.ts';

export interface TrainingRow {
  readonly sample: Sample<TokenFeatures>;
  /** The weight of this row in the policy gradient; 0 for a row of a lesson. */
  readonly policyWeight: number;
  readonly cloneWeight: number;
  readonly advantage?: number;
  /** Log-probabilities per slot under the weights at the start of the batch (π_old). */
  readonly old?: readonly number[];
  readonly reference?: readonly number[];
}

export interface NetworkTrainerOptions {
  readonly shape: NetworkShape;
  readonly objective: ObjectiveOptions;
  readonly optimiser: AdamOptions;
  /** Replaces names in rows of lessons. */
  readonly renamed?: (row: TokenFeatures) => readonly string[];
}

export interface AssessedStep {
  readonly logProbabilities: readonly number[];
  readonly uncertainties: readonly number[];
  /** Whether a slot had more than one valid choice. */
  readonly open: readonly boolean[];
}

export interface OptimiserResult {
  readonly loss: number;
  readonly cloneLoss: number;
  readonly gradientNorm: number;
  readonly clipped: number;
  readonly kl: number;
  readonly applied: boolean;
  /** −log π of all decisions of each row. */
  readonly surprises: readonly number[];
}

/** Opens programs in ONNX Runtime. */
export interface ProgramEngine {
  open(program: Program): Promise<Session>;
}

const S = SLOTS.length;

export class NetworkTrainer {
  readonly #options: NetworkTrainerOptions;
  readonly #training: Session;
  readonly #assessing: Session;
  readonly #memory = new ReusedMemory();

  private constructor(options: NetworkTrainerOptions, training: Session, assessing: Session) {
    this.#options = options;
    this.#training = training;
    this.#assessing = assessing;
  }

  /** `state` holds the weights alone, or the whole state of an earlier training. Tensors that the program does not declare are ignored. */
  static async open(
    engine: ProgramEngine,
    options: NetworkTrainerOptions,
    state: Tensors,
  ): Promise<NetworkTrainer> {
    const { shape, objective, optimiser } = options;
    const program = learningProgram(shape, objective, optimiser);
    const training = await engine.open(program);
    const known = Object.entries(state).filter(([name]) => program.state.some(each => each.name === name));
    await training.write(Object.fromEntries(known));
    return new NetworkTrainer(options, training, await engine.open(assessingProgram(shape)));
  }

  async close(): Promise<void> {
    await this.#training.close();
    await this.#assessing.close();
  }

  /** Weights, moments and the step count. */
  state(): Promise<Tensors> {
    return this.#training.read();
  }

  /** A copy of the weights alone. */
  weights(): Promise<Tensors> {
    return this.#training.read([WEIGHTS]);
  }

  /** Log-probabilities and entropies of recorded decisions under `weights`. */
  async assess(
    samples: readonly Sample<TokenFeatures>[],
    weights: Tensor,
    rows = 32,
  ): Promise<readonly AssessedStep[]> {
    await this.#assessing.write({ weights });
    const all: AssessedStep[] = [];
    const lengths = samples.map(({ tokens }) => tokens.count);
    for (const turn of runsOf(lengths, rows)) {
      const some = turn.map(index => at(samples, index));
      const outputs = await this.#assessing.run({
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
          logProbabilities: numbersOf(tensorNamed(outputs, 'logProbability'), row),
          uncertainties: numbersOf(tensorNamed(outputs, 'uncertainty'), row),
          open: numbersOf(tensorNamed(outputs, 'open'), row).map(Boolean),
        };
      }
    }
    return all;
  }

  /** One optimiser step. `rate` scales the learning rate of optimisers that take it as a feed. */
  async step(rows: readonly TrainingRow[], rate = 1): Promise<OptimiserResult> {
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
      // A demonstration has no recorded probabilities (π_roll): π_old takes their place.
      ...(objective.truncation > 0 && {
        rollout: table(rows.map(({ sample, old = NONE }) => sample.logProbabilities ?? old)),
      }),
      ...(objective.divergence > 0 && { reference: table(rows.map(({ reference = NONE }) => reference)) }),
    };
    const results = await this.#training.run(feeds);
    const number = (name: string) => tensorValue(tensorNamed(results, name), 0);
    return {
      loss: number('loss'),
      cloneLoss: number('cloneLoss'),
      gradientNorm: number('grad_norm'),
      clipped: number('clipped'),
      kl: number('kl'),
      applied: number('applied') === 1,
      surprises: samples.map(({ used }, row) =>
        surprise(numbersOf(tensorNamed(results, 'logProbability'), row), used),
      ),
    };
  }
}

const surprise = (logProbabilities: readonly number[], used: readonly number[]): number =>
  -logProbabilities.reduce((sum, each, slot) => sum + each * at(used, slot), 0);

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

const numbersOf = (values: Tensor, row: number): readonly number[] =>
  SLOTS.map((_, slot) => tensorValue(values, row * S + slot));
