// What the engine benchmark measures, wherever it runs: one job of one engine, repeated. All engines get the same
// weights and the same batches.

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
import { createJaxJs } from './rivals/jaxjs.ts';
import { type Batch, network as N, type Rival, type Weights } from './rivals/rival.ts';
import { createTfjs } from './rivals/tfjs.ts';
import { createTunedTfjs } from './rivals/tfjs-tuned/tuned.ts';

/** Ours comes first. 'onnxruntime-web' is ours as well, in WebAssembly. */
export const ENGINES = ['dartboard', 'onnxruntime-web', 'tfjs', 'tfjs-tuned', 'jaxjs'] as const;
export type EngineName = (typeof ENGINES)[number];
export type Job = 'train' | 'decide' | 'matmul';

export interface Subject {
  /** Does the job once, and gives the loss where there is one. */
  once(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** The side of the one large product that everything is held against. */
export const MATMUL_SIDE = 1024;

export const random = (seed: string): (() => number) => {
  const source = seeded(seed);
  return () => source.next();
};

export function batchOf(size: number, seed = 'batch'): Batch {
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

export function policyWeights(): Tensors {
  const { graph } = buildPolicy();
  return { [WEIGHTS]: tensor('float32', [layoutOf(graph).size], initialWeights(graph, random('weights'))) };
}

export function namedWeights(): Weights {
  const { graph } = buildPolicy();
  const tensors = unpack(layoutOf(graph), initialWeights(graph, random('weights')));
  return new Map(
    Object.entries(tensors).map(([name, { dims, data }]) => [
      name,
      { dims, data: Float32Array.from(data as Float32Array) },
    ]),
  );
}

function productProgram(): { readonly program: Program; readonly state: Tensors } {
  const graph = new Graph();
  const [a, b] = ['a', 'b'].map(name => graph.parameter(name, [MATMUL_SIDE, MATMUL_SIDE], initial.normal(1)));
  if (a === undefined || b === undefined) throw new RangeError('Two parameters were made.');
  const program = forwardProgram(graph, { largest: reduceMax(matmul(a, b)) });
  const flat = initialWeights(graph, random('product'));
  return { program, state: { [WEIGHTS]: tensor('float32', [flat.length], flat) } };
}

export async function subject(
  engine: EngineName,
  job: Job,
  size: number,
  load: (kind: RuntimeKind) => Promise<Runtime>,
): Promise<Subject> {
  switch (engine) {
    case 'dartboard':
      return ours(await load('native'), job, size);
    case 'onnxruntime-web':
      return ours(await load('wasm'), job, size);
    case 'tfjs':
      return rival(await createTfjs(namedWeights()), size);
    case 'tfjs-tuned':
      return rival(await createTunedTfjs(namedWeights()), size);
    case 'jaxjs':
      return rival(await createJaxJs(namedWeights()), size);
  }
}

async function ours(runtime: Runtime, job: Job, size: number): Promise<Subject> {
  const product = productProgram();
  const [program, state, feeds] = {
    train: () => [policyTraining(), policyWeights(), trainingFeeds(batchOf(size))] as const,
    decide: () => [policyProgram(), policyWeights(), observationFeeds(batchOf(size))] as const,
    matmul: () => [product.program, product.state, {}] as const,
  }[job]();
  const session = await openSession(runtime, program);
  await session.write(state);
  return {
    once: async () => {
      const { loss } = await session.run(feeds);
      return loss === undefined ? undefined : Number(loss.data[0]);
    },
    close: () => session.close(),
  };
}

function rival(engine: Rival, size: number): Subject {
  const batch = batchOf(size);
  return { once: () => engine.step(batch), close: () => engine.close() };
}
