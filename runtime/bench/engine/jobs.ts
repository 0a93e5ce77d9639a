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
import { network as N, type NamedWeights, type PolicyBatch } from './network-spec.ts';
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

export function batchOf(size: number, seed = 'batch'): PolicyBatch {
  const source = seeded(seed);
  const numbers = (count: number, low: number, high: number) =>
    Float32Array.from({ length: count }, () => low + (high - low) * source.next());
  const choices = (count: number, below: number) =>
    Int32Array.from({ length: count }, () => source.int(below));
  return {
    size,
    patches: Float32Array.from(choices(size * N.patches * N.patchSize, 256), pixel => pixel / 255),
    place: choices(size * N.patches, N.places),
    words: choices(size * N.words * N.letters, N.characters),
    kind: choices(size, N.kinds),
    pointer: choices(size, N.patches),
    oldKind: numbers(size, -2.3, -1.9),
    oldPointer: numbers(size, -4.6, -4.2),
    advantage: numbers(size, -1, 1),
  };
}

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

function namedWeights(): NamedWeights {
  const { graph } = buildPolicy();
  const tensors = unpack(layoutOf(graph), initialWeights(graph, randomOf('weights')));
  return new Map(
    Object.entries(tensors).map(([name, { dims, data }]) => [
      name,
      { dims, data: Float32Array.from(data, Number) },
    ]),
  );
}

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
  const batch = batchOf(size);
  if (engine === 'tfjs') {
    const step = await tfjsStep(namedWeights());
    return () => step(batch);
  }
  const { program, weights } =
    kind === 'matmul'
      ? productProgram()
      : { program: kind === 'train' ? policyTraining() : policyProgram(), weights: policyWeights() };
  const feeds = {
    train: () => trainingFeeds(batch),
    decide: () => observationFeeds(batch),
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
