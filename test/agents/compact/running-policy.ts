// A very small policy that runs in this process, for tests.

import { SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { feedsOf } from '../../../runtime/agents/compact/feeds.ts';
import { COMPACT, type NetworkShape } from '../../../runtime/agents/compact/network.ts';
import { firstWeights } from '../../../runtime/agents/compact/programs.ts';
import type { Sample } from '../../../runtime/agents/compact/sample.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import { WEIGHTS } from '../../../runtime/graph/layout.ts';
import type { Program } from '../../../runtime/graph/program.ts';
import { loadRuntime } from '../../../runtime/graph/runtime.ts';
import { openSession, type Session } from '../../../runtime/graph/session.ts';
import { type Tensor, type Tensors, tensor } from '../../../runtime/graph/tensor.ts';

export const SHAPE: NetworkShape = { ...COMPACT, width: 16, blocks: 1, hidden: 16, letterWidth: 4 };

const runtime = await loadRuntime('native');

export const open = (program: Program): Promise<Session> => openSession(runtime, program);

export function weightsOf(seed: string, shape = SHAPE): Tensor {
  const random = seeded(seed);
  const weights = firstWeights(shape, () => random.next());
  return tensor('float32', [weights.length], weights);
}

export async function openWith(program: Program, weights: Tensor): Promise<Session> {
  const session = await open(program);
  await session.write({ [WEIGHTS]: weights });
  return session;
}

export const floats = (values: readonly number[], ...dims: number[]): Tensor =>
  tensor('float32', dims.length > 0 ? dims : [values.length], Float32Array.from(values));

export const ints = (values: readonly number[], ...dims: number[]): Tensor =>
  tensor('int32', dims.length > 0 ? dims : [values.length], Int32Array.from(values));

export const numbers = (tensors: Tensors, name: string): readonly number[] => {
  const found = tensors[name];
  if (found === undefined) throw new Error(`There is no '${name}' among ${Object.keys(tensors)}.`);
  return Array.from(found.data, Number);
};

/** One row of a table whose rows have as many numbers as there are slots, or as are told. */
export const row = (tensors: Tensors, name: string, index: number, width: number = SLOTS.length) =>
  numbers(tensors, name).slice(index * width, (index + 1) * width);

/** What is fed to assess samples. */
export const sampleFeeds = (samples: readonly Sample[]): Tensors => ({
  ...feedsOf(
    samples.map(({ tokens }) => tokens),
    SHAPE.pixels,
  ),
  chosen: ints(
    samples.flatMap(({ chosen }) => chosen),
    samples.length,
    SLOTS.length,
  ),
});
