// Computes with the micro model: log-probabilities, gradients and optimiser steps. The states of training are values of the caller, so
// that several models can use one trainer, and no failure leaves a state half written.

import type { DecoderEngine } from '../../agents/micro/decoder.ts';
import { replyFeeds, roundedLength, type WeightedRow } from '../../agents/micro/feeds.ts';
import type { MicroShape } from '../../agents/micro/network.ts';
import {
  microAssessingProgram,
  microGradientProgram,
  microStepProgram,
} from '../../agents/micro/programs.ts';
import { at } from '../../core/at.ts';
import type { Clock } from '../../core/clock.ts';
import type { AdamFeed } from '../../graph/adam.ts';
import { WEIGHTS } from '../../graph/layout.ts';
import { GRADIENT } from '../../graph/program.ts';
import {
  type Tensor,
  type TensorData,
  type Tensors,
  tensor,
  tensorNamed,
  tensorValue,
} from '../../graph/tensor.ts';
import type { AdamSettings } from '../learner.ts';
import { HeldSession } from './held-session.ts';
import { MAX_PAIRS, runsOf } from './runs.ts';

/** One number for each weight of the network. Never changed after it was made. */
export type WeightVector = Float32Array<ArrayBuffer>;

/** The state of training of one model. */
export interface MicroState {
  readonly weights: WeightVector;
  /** The moments of Adam. */
  readonly mean: WeightVector;
  readonly variance: WeightVector;
  /** Adam steps since the moments were 0. */
  readonly step: number;
}

export const untrained = (weights: WeightVector): MicroState => ({
  ...{ weights, step: 0 },
  mean: new Float32Array(weights.length),
  variance: new Float32Array(weights.length),
});

/** One list for each row, one number for each token of its reply. */
export type LogProbabilities = readonly (readonly number[])[];

/** The time that a call took of the engine, without the wait for its turn. */
interface EngineTime {
  readonly seconds: number;
}

export interface RowsAssessment extends EngineTime {
  readonly logProbabilities: LogProbabilities;
}

export interface RowsGradient extends RowsAssessment {
  /** Of −Σ weight · log p over all rows, plus the gradient that was passed. */
  readonly gradient: WeightVector;
}

export interface OptimiserStep extends EngineTime {
  readonly state: MicroState;
  readonly gradientNorm: number;
}

/** The gradient or the new weights are not finite. */
export class NotFiniteError extends RangeError {
  override readonly name = 'NotFiniteError';
}

export interface MicroTrainerOptions {
  readonly engine: DecoderEngine;
  readonly shape: MicroShape;
  /** Measures the time of the engine. */
  readonly clock: Clock;
  /** See runs.ts. */
  readonly maxPairs?: number;
}

const [MEAN, VARIANCE, STEP] = ['adam.mean', 'adam.variance', 'adam.step'];

/** Calls are queued: the sessions belong to one call at a time. */
export class MicroTrainer {
  readonly #assessing: HeldSession;
  readonly #accumulating: HeldSession;
  readonly #stepping: HeldSession;
  readonly #clock: Clock;
  readonly #maxPairs: number;
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(
    sessions: readonly [HeldSession, HeldSession, HeldSession],
    clock: Clock,
    maxPairs: number,
  ) {
    [this.#assessing, this.#accumulating, this.#stepping] = sessions;
    this.#clock = clock;
    this.#maxPairs = maxPairs;
  }

  static async open({
    engine,
    shape,
    clock,
    maxPairs = MAX_PAIRS,
  }: MicroTrainerOptions): Promise<MicroTrainer> {
    const assessing = new HeldSession(await engine.open(microAssessingProgram(shape)));
    const accumulating = new HeldSession(await engine.open(microGradientProgram(shape)));
    const stepping = new HeldSession(await engine.open(microStepProgram(shape)));
    return new MicroTrainer([assessing, accumulating, stepping], clock, maxPairs);
  }

  /** The weights of the rows are not used. */
  assess(rows: readonly WeightedRow[], weights: WeightVector, signal: AbortSignal): Promise<RowsAssessment> {
    return this.#timed(async () => {
      await this.#assessing.use({ [WEIGHTS]: weights });
      const logProbabilities = await this.#inRuns(rows, signal, ({ weight: _, ...feeds }) =>
        this.#assessing.run(feeds),
      );
      return { logProbabilities };
    });
  }

  /** Adds the gradient of all rows to `sum`; without one, to 0. */
  accumulate(
    rows: readonly WeightedRow[],
    weights: WeightVector,
    sum: WeightVector | undefined,
    signal: AbortSignal,
  ): Promise<RowsGradient> {
    return this.#timed(async () => {
      const first = sum ?? new Float32Array(weights.length);
      await this.#accumulating.use({ [WEIGHTS]: weights, [GRADIENT]: first });
      const logProbabilities = await this.#inRuns(rows, signal, feeds =>
        this.#accumulating.run(feeds, [GRADIENT]),
      );
      const state = await this.#accumulating.read([GRADIENT]);
      return { gradient: vectorNamed(state, GRADIENT), logProbabilities };
    });
  }

  /** One step of Adam. Rejects with a NotFiniteError if the gradient or the new weights are not finite. */
  step(
    { weights, mean, variance, step }: MicroState,
    gradient: WeightVector,
    settings: AdamSettings,
  ): Promise<OptimiserStep> {
    return this.#timed(async () => {
      const names = [WEIGHTS, MEAN, VARIANCE, STEP];
      const count = BigInt64Array.of(BigInt(step));
      await this.#stepping.use({ [WEIGHTS]: weights, [MEAN]: mean, [VARIANCE]: variance, [STEP]: count });
      const feeds = { [GRADIENT]: tensor('float32', [gradient.length], gradient), ...adamFeeds(settings) };
      const outputs = await this.#stepping.run(feeds, names);
      const gradientNorm = tensorValue(tensorNamed(outputs, 'grad_norm'), 0);
      if (tensorValue(tensorNamed(outputs, 'applied'), 0) !== 1)
        throw new NotFiniteError(
          `The optimiser step is not applied: the gradient has the norm ${gradientNorm}, or the new weights are not finite (learning rate ${settings.learningRate}, epsilon ${settings.epsilon}). Check the weights of the tokens, and lower the learning rate.`,
        );
      const next = await this.#stepping.read([WEIGHTS, MEAN, VARIANCE]);
      const state = {
        ...{ weights: vectorNamed(next, WEIGHTS), mean: vectorNamed(next, MEAN) },
        ...{ variance: vectorNamed(next, VARIANCE), step: step + 1 },
      };
      return { state, gradientNorm };
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      for (const session of [this.#assessing, this.#accumulating, this.#stepping]) await session.close();
    });
  }

  async #inRuns(
    rows: readonly WeightedRow[],
    signal: AbortSignal,
    run: (feeds: Tensors) => Promise<Tensors>,
  ): Promise<LogProbabilities> {
    const found = new Map<number, readonly number[]>();
    const lengths = rows.map(({ row }) => roundedLength(row.entries.length));
    for (const indices of runsOf(lengths, this.#maxPairs)) {
      signal.throwIfAborted();
      const part = indices.map(index => at(rows, index));
      const { data, dims } = tensorNamed(await run(replyFeeds(part)), 'logProbability');
      const width = at(dims, 1);
      for (const [place, { row }] of part.entries()) {
        const from = place * width;
        const own = Array.from(data.subarray(from, from + row.entries.length - row.prompt), Number);
        found.set(at(indices, place), own);
      }
    }
    return rows.map((_, index) => found.get(index) ?? []);
  }

  #timed<X extends object>(work: () => Promise<X>): Promise<X & EngineTime> {
    return this.#inTurn(async () => {
      const from = this.#clock.now();
      const result = await work();
      return { ...result, seconds: (this.#clock.now() - from) / 1000 };
    });
  }

  #inTurn<X>(work: () => Promise<X>): Promise<X> {
    const done = this.#queue.then(work);
    // The caller handles the error of `done`; the queue only waits for its end.
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

const scalar = (value: number): Tensor => tensor('float64', [], Float64Array.of(value));

const adamFeeds = ({
  learningRate,
  beta1,
  beta2,
  epsilon,
  weightDecay,
  clipNorm,
}: AdamSettings): Readonly<Record<AdamFeed, Tensor>> => ({
  learning_rate: scalar(learningRate),
  ...{ beta1: scalar(beta1), beta2: scalar(beta2), epsilon: scalar(epsilon) },
  ...{ weight_decay: scalar(weightDecay), clip_norm: scalar(clipNorm) },
});

function vectorNamed(state: Tensors, name: string): WeightVector {
  const { data } = tensorNamed(state, name);
  if (isVector(data)) return data;
  throw new RangeError(
    `The state '${name}' is no vector of float32. This is a bug in Dartboard: report it with this message.`,
  );
}

export const isVector = (data: TensorData): data is WeightVector =>
  data instanceof Float32Array && data.buffer instanceof ArrayBuffer;
