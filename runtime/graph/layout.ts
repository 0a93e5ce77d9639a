// Offsets of the named parameters in one flat vector of all weights. With one vector, a weight swap is one copy, and the optimiser
// is a dozen nodes for any network.

import { own } from '../core/own.ts';
import type { Graph, Parameter, Value } from './graph.ts';
import { countOf, type Tensor, type Tensors, tensor, whatIsWrong } from './tensor.ts';

export interface Entry {
  readonly name: string;
  readonly dims: readonly number[];
  readonly offset: number;
  readonly size: number;
}

export interface Layout {
  readonly size: number;
  /** Number of weights with weight decay: the matrices, which are first in the vector. */
  readonly decayed: number;
  readonly entries: readonly Entry[];
}

const isMatrix = ({ dims }: Parameter): boolean => dims.length >= 2;

/** Matrices first, then gains and biases, each in construction order. */
export function inOrder(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...parameters.filter(isMatrix), ...parameters.filter(each => !isMatrix(each))];
}

export function layoutOf(graph: Graph): Layout {
  let size = 0;
  let decayed = 0;
  const entries = inOrder(graph.parameters).map(parameter => {
    const entry = {
      name: parameter.value.name,
      dims: parameter.dims,
      offset: size,
      size: countOf(parameter.dims),
    };
    size += entry.size;
    if (isMatrix(parameter)) decayed = size;
    return entry;
  });
  return { size, decayed, entries };
}

/** The name of the flat vector, as an input of models and as a state of programs. */
export const WEIGHTS = 'weights';

/** The flat vector as a value of the graph. */
export const flatWeights = (graph: Graph, { size }: Layout): Value => graph.state(WEIGHTS, 'float32', [size]);

/** Initial weights, drawn from the caller's random source in the order of the layout. */
export function initialWeights(graph: Graph, random: () => number): Float32Array<ArrayBuffer> {
  const layout = layoutOf(graph);
  const flat = new Float32Array(layout.size);
  inOrder(graph.parameters).forEach(({ value, dims, initial }, index) => {
    const numbers = initial(dims, random);
    const wrong = whatIsWrong('float32', dims, numbers);
    if (wrong !== undefined)
      throw new WeightsError(`The initial numbers of '${value.name}' [${dims}] do not fit: ${wrong}.`);
    flat.set(numbers, layout.entries[index]?.offset);
  });
  return flat;
}

export class WeightsError extends Error {
  override readonly name = 'WeightsError';
}

/** Splits the flat weights into named tensors, as in files. */
export function unpack(layout: Layout, flat: Float32Array): Tensors {
  if (flat.length !== layout.size) {
    throw new WeightsError(`The weights have ${flat.length} numbers, the network has ${layout.size}.`);
  }
  return Object.fromEntries(
    layout.entries.map(({ name, dims, offset, size }): [string, Tensor] => [
      name,
      tensor('float32', dims, flat.slice(offset, offset + size)),
    ]),
  );
}

/** Joins named tensors into flat weights; rejects missing, unknown and wrong tensors by name. */
export function pack(layout: Layout, tensors: Tensors): Float32Array<ArrayBuffer> {
  const flat = new Float32Array(layout.size);
  const left = new Set(Object.keys(tensors));
  for (const { name, dims, offset } of layout.entries) {
    const found = own(tensors, name);
    if (found === undefined) throw new WeightsError(`The tensor '${name}' is missing.`);
    if (found.dtype !== 'float32' || found.dims.join() !== dims.join()) {
      throw new WeightsError(
        `The tensor '${name}' is ${found.dtype} [${found.dims}], the network needs float32 [${dims}].`,
      );
    }
    const wrong = whatIsWrong('float32', dims, found.data);
    if (wrong !== undefined) throw new WeightsError(`The tensor '${name}' does not fit: ${wrong}.`);
    flat.set(Float32Array.from(found.data, Number), offset);
    left.delete(name);
  }
  const [unknown] = left;
  if (unknown !== undefined) throw new WeightsError(`The network has no tensor '${unknown}'.`);
  return flat;
}
