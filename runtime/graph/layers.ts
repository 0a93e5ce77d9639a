// Layers that most networks use: linear and layer normalisation.

import { type Graph, GraphError, type Value } from './graph.ts';
import * as initial from './initial.ts';
import { add, gemm, layerNormalization, matmul, reshape, rowsOf } from './ops/index.ts';
import { show } from './shape.ts';

/** x·W + b over the last axis, as one product of all rows where the result can be reshaped back. */
export function linear(graph: Graph, x: Value, name: string, width: number, gain = 1): Value {
  const weights = graph.parameter(`${name}.w`, [widthOf(x), width], initial.fanIn(gain));
  const bias = graph.parameter(`${name}.b`, [width], initial.constant(0));
  const outer = x.shape.slice(0, -1);
  if (outer.filter(dim => typeof dim === 'string').length > 1) return add(matmul(x, weights), bias);
  return reshape(gemm(rowsOf(x), weights, { bias }), [...outer, width]);
}

/** Layer normalisation with its own gain and bias. */
export function norm(graph: Graph, x: Value, name: string): Value {
  const gain = graph.parameter(`${name}.g`, [widthOf(x)], initial.constant(1));
  const bias = graph.parameter(`${name}.b`, [widthOf(x)], initial.constant(0));
  return layerNormalization(x, gain, bias);
}

function widthOf(x: Value): number {
  const width = x.shape.at(-1);
  if (typeof width === 'number') return width;
  throw new GraphError(`The last axis of '${x.name}' ${show(x.shape)} must have a known size.`);
}
