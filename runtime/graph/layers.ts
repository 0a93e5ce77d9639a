// A few compositions that nearly every network needs. Networks themselves are built by who uses this library.

import type { Graph, Value } from './graph.ts';
import * as initial from './initial.ts';
import { gemm, layerNormalization, reshape, rowsOf } from './ops/index.ts';

/** x·W + b over the last axis, as one product of all rows. */
export function linear(graph: Graph, x: Value, name: string, width: number, gain = 1): Value {
  const inputs = x.shape.at(-1);
  if (typeof inputs !== 'number') throw new RangeError(`The last axis of '${x.name}' has no known size.`);
  const weights = graph.parameter(`${name}.w`, [inputs, width], initial.fanIn(gain));
  const bias = graph.parameter(`${name}.b`, [width], initial.constant(0));
  return reshape(gemm(rowsOf(x), weights, { bias }), [...x.shape.slice(0, -1), width]);
}

/** Layer normalisation with a gain and a bias of its own. */
export function norm(graph: Graph, x: Value, name: string): Value {
  const width = x.shape.at(-1);
  if (typeof width !== 'number') throw new RangeError(`The last axis of '${x.name}' has no known size.`);
  const gain = graph.parameter(`${name}.g`, [width], initial.constant(1));
  const bias = graph.parameter(`${name}.b`, [width], initial.constant(0));
  return layerNormalization(x, gain, bias);
}
