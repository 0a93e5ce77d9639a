// The engine benchmark: what onnxruntime-node trains and decides through our graphs, held against other engines and
// against the machine. Everything that is compared takes turns within one run, each in a process of its own.

import { type Engine, startEngine } from '../../graph/process/engine.ts';
import { Line } from '../../graph/process/line.ts';
import type { Session } from '../../graph/session.ts';
import { type Benchmark, type Figures, median } from '../report.ts';
import type { Account } from './account.ts';
import { observationFeeds } from './network.ts';
import { batchOf, type EngineName, type Job, MATMUL_SIDE, policyProgram, policyWeights } from './subject.ts';
import type { WorkerCalls } from './worker.ts';

const PARTS = 7;
/** Turns that each side of a comparison takes; the medians over them are reported. */
const ROUNDS = 7;
const BATCHES: Readonly<Record<EngineName, readonly number[]>> = {
  dartboard: [4, 8, 16, 32, 64],
  tfjs: [4, 8, 16, 32],
  'tfjs-tuned': [8, 16, 32],
  jaxjs: [4, 8, 16, 32],
};
const WAITING = 16;

const ENGINE = new URL('./engine.js', import.meta.url);
const WORKER = new URL('./bench-engine.js', import.meta.url);

type Worker = Line<WorkerCalls, undefined>;

export const engine: Benchmark = {
  name: 'engine',
  summary:
    'training and deciding with onnxruntime-node, against TensorFlow.js, jax-js and one large matrix product',
  run: async (report, options) => {
    // 90 s of measuring by default; the turns of each part share what they are given.
    const turn = ((options.minutes ?? 1.5) * 60) / 90;
    const agreement = await report.part('every engine computes the same losses', PARTS, agree);
    const best = await report.part('the best batch of each engine', PARTS, () => bestBatches(turn));
    const training = await report.part('training steps, taking turns', PARTS, () =>
      compareTraining(best, turn),
    );
    const account = await report.part('where the time of a training step goes', PARTS, () =>
      accountFor(best.dartboard),
    );
    const deciding = await report.part('decisions, one by one and together', PARTS, () => decide(turn));
    const scaling = await report.part('two workers beside one', PARTS, () => scale(turn));
    const swap = await report.part('swapping weights', PARTS, swapWeights);
    report.say(explained(account, training.matmulGflops, best));
    const flopsPerSecond = (account.flops / best.dartboard) * training.samplesPerSecond;
    const figures: Figures = {
      train_step_vs_tfjs_wasm: training.vsTfjs,
      train_step_vs_tfjs_wasm_tuned: training.vsTunedTfjs,
      train_step_vs_jaxjs: training.vsJaxjs,
      train_samples_per_s_core: training.samplesPerSecond,
      matmul_share: flopsPerSecond / (training.matmulGflops * 1e9),
      ...deciding,
      worker_scaling_2: scaling,
      swap_ms: swap.roundTrip,
      largest_loss_difference: agreement,
    };
    for (const [name, value] of Object.entries(figures)) report.say(`  ${name.padEnd(28)} ${rounded(value)}`);
    return {
      figures: Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)])),
      config: {
        batches: best,
        rounds: ROUNDS,
        matmul_side: MATMUL_SIDE,
        matmul_gflops: rounded(training.matmulGflops),
        account,
      },
      versions: { node: process.version, 'onnxruntime-node': swap.version },
    };
  },
};

const rounded = (value: number): number => Number(value.toPrecision(4));

async function withWorkers<T>(count: number, use: (workers: readonly Worker[]) => Promise<T>): Promise<T> {
  const opened = await Promise.all(
    Array.from({ length: count }, () => Line.open<WorkerCalls, undefined>(WORKER)),
  );
  const workers = opened.map(({ line }) => line);
  try {
    return await use(workers);
  } finally {
    await Promise.all(workers.map(worker => worker.close()));
  }
}

async function withPrepared<T>(
  jobs: readonly { readonly engine: EngineName; readonly job: Job; readonly size: number }[],
  use: (workers: readonly Worker[]) => Promise<T>,
): Promise<T> {
  return withWorkers(jobs.length, async workers => {
    for (const [index, worker] of workers.entries()) {
      const job = jobs[index];
      if (job !== undefined) await worker.call('prepare', job);
      await worker.call('measure', { seconds: 0.3 });
    }
    return use(workers);
  });
}

/** The largest relative difference between our losses and those of the others, over a few steps. */
async function agree(): Promise<number> {
  const names: readonly EngineName[] = ['dartboard', 'tfjs', 'tfjs-tuned', 'jaxjs'];
  return withWorkers(names.length, async workers => {
    const losses: (readonly number[])[] = [];
    for (const [index, worker] of workers.entries()) {
      await worker.call('prepare', { engine: names[index] ?? 'dartboard', job: 'train', size: 8 });
      losses.push(await worker.call('losses', { steps: 5 }));
    }
    const [ours = [], ...others] = losses;
    const differences = others.flatMap(theirs =>
      ours.map((loss, step) => Math.abs(1 - (theirs[step] ?? Number.NaN) / loss)),
    );
    const largest = Math.max(...differences);
    if (!(largest < 0.01))
      throw new Error(`The engines do not train the same network: ${JSON.stringify(losses)}.`);
    return largest;
  });
}

async function bestBatches(turn: number): Promise<Readonly<Record<EngineName, number>>> {
  const bestOf = (name: EngineName): Promise<number> =>
    withWorkers(1, async ([worker]) => {
      let best = { size: 0, rate: 0 };
      for (const size of BATCHES[name]) {
        await worker?.call('prepare', { engine: name, job: 'train', size });
        await worker?.call('measure', { seconds: 0.3 });
        const times = (await worker?.call('measure', { seconds: turn })) ?? [];
        const rate = size / median(times);
        if (rate > best.rate) best = { size, rate };
      }
      return best.size;
    });
  return {
    dartboard: await bestOf('dartboard'),
    tfjs: await bestOf('tfjs'),
    'tfjs-tuned': await bestOf('tfjs-tuned'),
    jaxjs: await bestOf('jaxjs'),
  };
}

interface Training {
  readonly samplesPerSecond: number;
  readonly vsTfjs: number;
  readonly vsTunedTfjs: number;
  readonly vsJaxjs: number;
  readonly matmulGflops: number;
}

async function compareTraining(best: Readonly<Record<EngineName, number>>, turn: number): Promise<Training> {
  const train = (name: EngineName) => ({ engine: name, job: 'train', size: best[name] }) as const;
  const jobs = [
    train('dartboard'),
    train('tfjs'),
    train('tfjs-tuned'),
    train('jaxjs'),
    { engine: 'dartboard', job: 'matmul', size: 1 } as const,
  ];
  return withPrepared(jobs, async ([ours, tfjs, tunedTfjs, jaxjs, product]) => {
    const rounds: Training[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const speed = async (worker: Worker | undefined, size: number): Promise<number> =>
        (size * 1000) / median((await worker?.call('measure', { seconds: turn })) ?? []);
      const samplesPerSecond = await speed(ours, best.dartboard);
      const products = await speed(product, 1);
      rounds.push({
        samplesPerSecond,
        vsTfjs: samplesPerSecond / (await speed(tfjs, best.tfjs)),
        vsTunedTfjs: samplesPerSecond / (await speed(tunedTfjs, best['tfjs-tuned'])),
        vsJaxjs: samplesPerSecond / (await speed(jaxjs, best.jaxjs)),
        matmulGflops: (products * 2 * MATMUL_SIDE ** 3) / 1e9,
      });
    }
    const over = (pick: (round: Training) => number): number => median(rounds.map(pick));
    return {
      samplesPerSecond: over(round => round.samplesPerSecond),
      vsTfjs: over(round => round.vsTfjs),
      vsTunedTfjs: over(round => round.vsTunedTfjs),
      vsJaxjs: over(round => round.vsJaxjs),
      matmulGflops: over(round => round.matmulGflops),
    };
  });
}

const accountFor = (size: number): Promise<Account> =>
  withWorkers(1, async ([worker]) => {
    if (worker === undefined) throw new RangeError('One worker was started.');
    return worker.call('account', { size });
  });

async function withSession<T>(use: (session: Session, engine: Engine) => Promise<T>): Promise<T> {
  const engine = await startEngine({ entry: ENGINE, runtime: 'native' });
  try {
    const session = await engine.open(policyProgram());
    await session.write(policyWeights());
    return await use(session, engine);
  } finally {
    await engine.close();
  }
}

/** As a caller sees it: the way to the process and back is in every time. */
async function decide(turn: number): Promise<Figures> {
  return withSession(async session => {
    const singles = Array.from({ length: WAITING }, (_, index) =>
      observationFeeds(batchOf(1, `request ${index}`)),
    );
    const together = observationFeeds(batchOf(WAITING));
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await work();
      return performance.now() - start;
    };
    const one: number[] = [];
    const gains: number[] = [];
    const end = performance.now() + 5000 * turn;
    while (performance.now() < end) {
      for (const feeds of singles) one.push(await timed(() => session.run(feeds)));
      const oneByOne = await timed(() => Promise.all(singles.map(feeds => session.run(feeds))));
      gains.push(oneByOne / (await timed(() => session.run(together))));
    }
    return { decide_ms_batch1: median(one), [`decide_gain_batch${WAITING}`]: median(gains) };
  });
}

async function scale(turn: number): Promise<number> {
  const job = { engine: 'dartboard', job: 'decide', size: WAITING } as const;
  return withPrepared([job, job], async workers => {
    const speed = async (some: readonly Worker[]): Promise<number> => {
      const counts = await Promise.all(some.map(worker => worker.call('measure', { seconds: turn })));
      return counts.reduce((sum, times) => sum + times.length, 0);
    };
    const gains: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await speed(workers.slice(round % 2, (round % 2) + 1));
      gains.push((await speed(workers)) / alone);
    }
    return median(gains);
  });
}

/** From handing new weights over until the engine has said that it decides with them. */
async function swapWeights(): Promise<{ readonly roundTrip: number; readonly version: string }> {
  return withSession(async (session, { version }) => {
    const [weights, times] = [policyWeights(), [] as number[]];
    for (let swap = 0; swap < 200; swap++) {
      const start = performance.now();
      await session.write(weights);
      times.push(performance.now() - start);
    }
    return { roundTrip: median(times), version };
  });
}

function explained(
  account: Account,
  matmulGflops: number,
  best: Readonly<Record<EngineName, number>>,
): string {
  const parts = Object.entries(account.milliseconds).sort(([, a], [, b]) => b - a);
  const whole = parts.reduce((sum, [, each]) => sum + each, 0);
  const rows = parts.map(
    ([kind, each]) =>
      `    ${kind.padEnd(26)} ${each.toFixed(2).padStart(7)} ms  ${((100 * each) / whole).toFixed(1).padStart(5)} %`,
  );
  const products = account.milliseconds['matrix products'] ?? Number.NaN;
  const speed = account.flops / products / 1e6;
  return [
    `  A training step of ${best.dartboard} samples runs ${account.kernels} kernels:`,
    ...rows,
    `    The products run at ${speed.toFixed(0)} GFLOP/s, ${((100 * speed) / matmulGflops).toFixed(0)} % of one of ${MATMUL_SIDE}³ (${matmulGflops.toFixed(0)}).`,
    `    Best batches: ${Object.entries(best)
      .map(([name, size]) => `${name} ${size}`)
      .join(', ')}.`,
  ].join('\n');
}
