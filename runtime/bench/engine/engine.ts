// The engine benchmark: what onnxruntime-node trains and decides through our graphs, held against other engines and
// against the machine. Everything that is compared takes turns within one run, each in a process of its own.

import type { Benchmark, Figures } from '../report.ts';
import { explained } from './account.ts';
import { accountFor, agree, bestBatches, compareTraining, ROUNDS } from './contest.ts';
import { decide, scale, swapWeights } from './deciding.ts';
import { MATMUL_SIDE } from './subject.ts';

const PARTS = 7;
const MINUTES = 3;

export const engine: Benchmark = {
  name: 'engine',
  summary: 'training and deciding with onnxruntime-node, against other engines and one large matrix product',
  run: async (report, { minutes = MINUTES }) => {
    const part = <T>(name: string, measure: () => Promise<T>) => report.part(name, PARTS, measure);
    // One turn of one side, in seconds; there are about 120 of them.
    const turn = (minutes * 60) / 120;
    const agreement = await part('every engine computes the same losses', agree);
    const best = await part('the best batch of each engine', () => bestBatches(turn));
    const training = await part('training steps, taking turns', () => compareTraining(best, turn));
    const account = await part('where the time of a step goes', () => accountFor(best.dartboard));
    const deciding = await part('decisions, one by one and together', () => decide(5 * turn));
    const scaling = await part('two workers beside one', () => scale(turn));
    const swap = await part('swapping weights', swapWeights);
    report.say(explained(account, best.dartboard, training.matmulGflops));
    const flopsPerSecond = (account.flops / best.dartboard) * training.samplesPerSecond.dartboard;
    const figures: Figures = {
      train_step_vs_tfjs_wasm: training.gain.tfjs,
      train_step_vs_tfjs_wasm_tuned: training.gain['tfjs-tuned'],
      train_step_vs_jaxjs: training.gain.jaxjs,
      train_step_vs_onnxruntime_web: training.gain['onnxruntime-web'],
      train_samples_per_s_core: training.samplesPerSecond.dartboard,
      matmul_share: flopsPerSecond / (training.matmulGflops * 1e9),
      ...deciding,
      worker_scaling_2: scaling,
      swap_ms: swap.roundTrip,
      largest_loss_difference: agreement,
    };
    const entries = Object.entries(figures).map(([name, value]) => [name, rounded(value)] as const);
    for (const [name, value] of entries) report.say(`  ${name.padEnd(32)} ${value}`);
    return {
      figures: Object.fromEntries(entries),
      config: {
        rounds: ROUNDS,
        batches: best,
        samples_per_s: training.samplesPerSecond,
        matmul_side: MATMUL_SIDE,
        matmul_gflops: rounded(training.matmulGflops),
        account,
      },
      versions: { node: process.version, 'onnxruntime-node': swap.version },
    };
  },
};

const rounded = (value: number): number => Number(value.toPrecision(4));
