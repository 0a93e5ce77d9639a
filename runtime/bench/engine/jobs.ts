// One job of one engine, repeated on demand. All engines get the same weights and the same batches.

import { seeded } from '../../core/rng.ts';
import { Graph } from '../../graph/graph.ts';
import * as initial from '../../graph/initial.ts';
import { initialWeights, layoutOf, unpack, WEIGHTS } from '../../graph/layout.ts';
import { matmul, reduceMax } from '../../graph/ops/index.ts';
import { forwardProgram, type Program, trainingProgram } from '../../graph/program.ts';
import type { Runtime, RuntimeKind } from '../../graph/runtime.ts';
import { openSession } from '../../graph/session.ts';
import { type Tensors, tensor } from '../../graph/tensor.ts';
import { ADAM, buildPolicy, observationFeeds, policyLoss, trainingFeeds } from './network.ts';
import { tfjsStep } from './tfjs.ts';

/** 'onnxruntime-web' runs our graphs in WebAssembly. */
export const ENGINES = ['dartboard', 'onnxruntime-web', 'tfjs'] as const;
export type EngineName = (typeof ENGINES)[number];
export type JobKind = 'train' | 'decide' | 'matmul';

/** Does the job once; resolves to the loss of a training step. */
export type EngineJob = () => Promise<number | undefined>;

/** Side of the large matrix product that defines the speed of the core. */
export const MATMUL_SIDE = 1024;

const randomOf = (seed: string): (() => number) => {
  const source = seeded(seed);
  return () => source.next();
};

export const policyProgram = (): Program => {
  const { graph, kind, pointer } = buildPolicy();
  return forwardProgram(graph, { kind, pointer });
};

export const policyTraining = (): Program => {
  const policy = buildPolicy();
  return trainingProgram(policy.graph, policyLoss(policy), ADAM);
};

const weightsOf = (graph: Graph, seed: string): Tensors => {
  const flat = initialWeights(graph, randomOf(seed));
  return { [WEIGHTS]: tensor('float32', [flat.length], flat) };
};

export const policyWeights = (): Tensors => weightsOf(buildPolicy().graph, 'weights');

function productProgram(): { readonly program: Program; readonly weights: Tensors } {
  const graph = new Graph();
  const side = [MATMUL_SIDE, MATMUL_SIDE];
  const product = matmul(
    graph.parameter('a', side, initial.normal(1)),
    graph.parameter('b', side, initial.normal(1)),
  );
  const program = forwardProgram(graph, { largest: reduceMax(product) });
  return { program, weights: weightsOf(graph, 'product') };
}

/** `load` is a parameter, because only entries of child processes may load ONNX Runtime. */
export async function openJob(
  engine: EngineName,
  kind: JobKind,
  size: number,
  load: (kind: RuntimeKind) => Promise<Runtime>,
): Promise<EngineJob> {
  if (engine === 'tfjs') {
    const policy = buildPolicy();
    const flat = initialWeights(policy.graph, randomOf('weights'));
    const weights = unpack(layoutOf(policy.graph), flat);
    return tfjsStep(policyLoss(policy), weights, trainingFeeds(size), size);
  }
  const { program, weights } =
    kind === 'matmul'
      ? productProgram()
      : { program: kind === 'train' ? policyTraining() : policyProgram(), weights: policyWeights() };
  const feeds = {
    train: () => trainingFeeds(size),
    decide: () => observationFeeds(size),
    matmul: () => ({}),
  };
  const session = await openSession(await load(engine === 'dartboard' ? 'native' : 'wasm'), program);
  await session.write(weights);
  const fed = feeds[kind]();
  return async () => {
    const { loss } = await session.run(fed);
    return loss === undefined ? undefined : Number(loss.data[0]);
  };
}
