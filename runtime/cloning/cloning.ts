// Clones demonstrations into the micro model for a given time, or a given number of examples. One replica per engine takes its own batches; every few steps the replicas
// continue from the mean of their weights and moments. That scales over processes without a gradient leaving one.

import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { replyFeeds } from '../agents/micro/feeds.ts';
import type { MicroShape } from '../agents/micro/network.ts';
import { firstMicroWeights, microTrainingProgram } from '../agents/micro/programs.ts';
import { shuffled } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/rng.ts';
import { WEIGHTS } from '../graph/layout.ts';
import type { Program } from '../graph/program.ts';
import type { Session } from '../graph/session.ts';
import { type Tensors, tensor } from '../graph/tensor.ts';
import type { Demonstration } from './demonstrations.ts';
import { batchesOf } from './examples.ts';

/** A number of examples gives equal weights on fast and slow machines, minutes do not. */
export type CloningLength = { readonly minutes: number } | { readonly examples: number };

/** The share of the length that is over; above 1 after its end. */
export const sharePast = (
  length: CloningLength,
  { minutes, examples }: Pick<CloningProgress, 'minutes' | 'examples'>,
): number => ('minutes' in length ? minutes / length.minutes : examples / length.examples);

export interface CloningOptions {
  readonly shape: MicroShape;
  /** One replica for each. */
  readonly engines: readonly { open(program: Program): Promise<Session> }[];
  /** The examples of a replica. */
  readonly examplesOf: (replica: number) => () => readonly Demonstration[];
  readonly length: CloningLength;
  /** Trains on from these weights. */
  readonly weights?: Float32Array<ArrayBuffer>;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the cloning early, after the steps in work. */
  readonly signal?: AbortSignal;
  /** Called after each exchange of the replicas. */
  readonly progress?: (progress: CloningProgress) => Promise<void> | void;
}

export interface CloningProgress {
  readonly minutes: number;
  readonly steps: number;
  readonly examples: number;
  readonly tokens: number;
  /** Mean −log p of a reply token since the last exchange. */
  readonly loss: number;
}

/** The highest learning rate. The notes of the engine: 3e-4 is stable for RL; cloning alone stands more. */
const PEAK_RATE = 1.5e-3;
const WARM_UP = 0.03;
/** The rate ends at this share of its peak. */
const LAST_RATE = 0.05;
const CLIP_NORM = 1;
const WEIGHT_DECAY = 0.01;
/** Steps of a replica between two exchanges. */
const EXCHANGE_STEPS = 16;

/** Resolves with the weights at the end of the length, or earlier after an abort. */
export async function cloneDemonstrations(options: CloningOptions): Promise<Float32Array<ArrayBuffer>> {
  const { shape, engines, length, clock, random, signal, progress = () => {} } = options;
  const chance = random.fork('weights');
  const first = options.weights ?? firstMicroWeights(shape, () => chance.next());
  const program = microTrainingProgram(shape, {
    learningRate: { peak: PEAK_RATE, fed: true },
    weightDecay: WEIGHT_DECAY,
    clipNorm: CLIP_NORM,
  });
  const replicas = await Promise.all(
    engines.map(async (engine, index) => {
      const session = await engine.open(program);
      await session.write({ [WEIGHTS]: tensor('float32', [first.length], first) });
      const own = random.fork(`replica ${index}`);
      const shuffle = <X>(all: readonly X[]) => shuffled(own, all);
      return new Replica(session, batchesOf(options.examplesOf(index), shuffle));
    }),
  );
  const [begun, totals] = [clock.now(), { steps: 0, examples: 0, tokens: 0 }];
  const elapsed = () => (clock.now() - begun) / 60_000;
  const share = () => sharePast(length, { minutes: elapsed(), examples: totals.examples });
  try {
    while (share() < 1 && signal?.aborted !== true) {
      const done = await Promise.all(
        replicas.map(replica => replica.run(EXCHANGE_STEPS, () => rateAt(share()))),
      );
      await exchange(replicas);
      const now = { surprise: 0, tokens: 0 };
      for (const each of done) {
        now.surprise += each.surprise;
        now.tokens += each.tokens;
        totals.steps += EXCHANGE_STEPS;
        totals.examples += each.examples;
        totals.tokens += each.tokens;
      }
      await progress({ ...totals, minutes: elapsed(), loss: now.surprise / Math.max(1, now.tokens) });
    }
    return await weightsOf(replicas);
  } finally {
    await Promise.all(replicas.map(replica => replica.session.close()));
  }
}

/** Linear warm-up, then half a cosine. */
export function rateAt(share: number): number {
  if (share < WARM_UP) return Math.max(0.02, share / WARM_UP);
  const left = Math.min(1, (share - WARM_UP) / (1 - WARM_UP));
  return LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + Math.cos(Math.PI * left));
}

interface Progressed {
  readonly surprise: number;
  readonly tokens: number;
  readonly examples: number;
}

interface PreparedBatch {
  readonly feeds: Tensors;
  readonly examples: number;
  readonly tokens: number;
}

class Replica {
  readonly session: Session;
  readonly #batches: Iterator<readonly Demonstration[], never>;
  #next: PreparedBatch | undefined;

  constructor(session: Session, batches: Iterator<readonly Demonstration[], never>) {
    this.session = session;
    this.#batches = batches;
  }

  /** Prepares each batch while the engine computes the one before it. */
  async run(steps: number, rate: () => number): Promise<Progressed> {
    let [surprise, tokens, examples] = [0, 0, 0];
    for (let step = 0; step < steps; step++) {
      const batch = this.#next ?? this.#prepared();
      const running = this.session.run({
        ...batch.feeds,
        rate: tensor('float32', [], Float32Array.of(rate())),
      });
      // `await running` handles its error, later.
      running.catch(() => undefined);
      // The request must leave this process before the work begins that blocks it.
      await yieldToEvents();
      this.#next = this.#prepared();
      const results = await running;
      surprise += Number(results['loss']?.data[0]) * batch.tokens;
      tokens += batch.tokens;
      examples += batch.examples;
    }
    return { surprise, tokens, examples };
  }

  /** Every token of the replies has the same weight. */
  #prepared(): PreparedBatch {
    const batch = this.#batches.next().value;
    const tokens = batch.reduce((sum, { row }) => sum + row.entries.length - row.prompt, 0);
    const rows = batch.map(({ row }) => ({
      row,
      weights: new Array<number>(row.entries.length - row.prompt).fill(1 / tokens),
    }));
    return { feeds: replyFeeds(rows), examples: batch.length, tokens };
  }
}

/** All replicas continue from the mean of their states. They have made the same number of steps. */
async function exchange(replicas: readonly Replica[]): Promise<void> {
  if (replicas.length < 2) return;
  const states = await Promise.all(replicas.map(({ session }) => session.read()));
  const mean = meanState(states);
  await Promise.all(replicas.map(({ session }) => session.write(mean)));
}

/** The mean of each float tensor; integers, such as the step count, are those of the first state. */
export function meanState(states: readonly Tensors[]): Tensors {
  const [first = {}] = states;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      if (!(value.data instanceof Float32Array)) return [name, value];
      const sum = new Float32Array(value.data.length);
      for (const state of states) {
        const { data } = state[name] ?? value;
        for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) + Number(data[index]);
      }
      for (let index = 0; index < sum.length; index++) sum[index] = (sum[index] ?? 0) / states.length;
      return [name, tensor(value.dtype, value.dims, sum)];
    }),
  );
}

async function weightsOf([replica]: readonly Replica[]): Promise<Float32Array<ArrayBuffer>> {
  const data = (await replica?.session.read([WEIGHTS]))?.[WEIGHTS]?.data;
  if (data instanceof Float32Array) return data;
  throw new RangeError('Cloning has no engine to train in. Give at least one.');
}
