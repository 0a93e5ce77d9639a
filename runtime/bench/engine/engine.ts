// The engine benchmark: training and inference through our graphs on onnxruntime-node, against other engines and one matrix product.

import type { Benchmark } from '../report.ts';
import { measureDecisions, measureSwaps, workerScaling } from './decisions.ts';
import { MATMUL_SIDE } from './jobs.ts';
import { bestBatches, compareTraining, lossDifference, ROUNDS, withWorker } from './training.ts';

const PARTS = 7;
const MINUTES = 3;
/** Turns of one engine in a whole run, about. */
const TURNS = 120;

export const engine: Benchmark = {
  name: 'engine',
  summary: 'training and inference with onnxruntime-node, against other engines and one large matrix product',
  run: async (report, { minutes = MINUTES }) => {
    const part = <T>(name: string, measure: () => Promise<T>) => report.part(name, PARTS, measure);
    const turnSeconds = (minutes * 60) / TURNS;
    const difference = await part('losses of every engine', lossDifference);
    const batches = await part('best batch size of each engine', () => bestBatches(turnSeconds));
    const training = await part('training steps in turns', () => compareTraining(batches, turnSeconds));
    const size = batches.dartboard;
    const profile = await part('profile of a training step', () =>
      withWorker({ engine: 'dartboard', kind: 'train', size }, worker => worker.call('profile', { size })),
    );
    const decisions = await part('decisions', () => measureDecisions(5 * turnSeconds));
    const scaling = await part('two workers', () => workerScaling(turnSeconds));
    const swaps = await part('weight swaps', measureSwaps);
    const flopsPerSecond = (profile.flops / size) * training.samplesPerSecond.dartboard;
    return {
      figures: {
        train_step_vs_tfjs_wasm: training.gain.tfjs,
        train_step_vs_onnxruntime_web: training.gain['onnxruntime-web'],
        train_samples_per_s_core: training.samplesPerSecond.dartboard,
        matmul_share: flopsPerSecond / (training.matmulGflops * 1e9),
        ...decisions,
        worker_scaling_2: scaling,
        swap_ms: swaps.milliseconds,
        largest_loss_difference: difference,
      },
      config: {
        rounds: ROUNDS,
        batches,
        samples_per_s: training.samplesPerSecond,
        matmul_side: MATMUL_SIDE,
        matmul_gflops: training.matmulGflops,
        profile,
      },
      versions: { 'onnxruntime-node': swaps.version },
    };
  },
};
