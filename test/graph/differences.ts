// Checks a gradient against central finite differences: every number of every input is moved a little both ways.

import { gradients } from '../../runtime/graph/gradient.ts';
import { Graph, type Value } from '../../runtime/graph/graph.ts';
import { mul, reduceSum } from '../../runtime/graph/ops/index.ts';
import { forwardProgram } from '../../runtime/graph/program.ts';
import { loadRuntime } from '../../runtime/graph/runtime.ts';
import { openSession } from '../../runtime/graph/session.ts';
import { resolve, type TensorShape } from '../../runtime/graph/shape.ts';
import { countOf, type Tensor } from '../../runtime/graph/tensor.ts';

export const runtime = await loadRuntime('native');

/** Builds the checked expression; an input that a case does not have is its first. */
export type Build = (a: Value, b: Value, c: Value) => Value;

export interface Check {
  readonly build: Build;
  readonly shapes: readonly (readonly number[])[];
  readonly numbers: (count: number) => readonly number[];
  /** Some kernels of the runtime have no float64; those are checked as closely as float32 allows. */
  readonly dtype?: 'float32' | 'float64';
  readonly tolerance?: number;
  /** A size that is a symbol in the graph, and known only when it runs. */
  readonly symbol?: number;
}

const PRECISION = {
  float64: { nudge: 1e-5, tolerance: 1e-6 },
  float32: { nudge: 1e-2, tolerance: 6e-3 },
} as const;

/** The largest difference between a gradient and its finite difference, relative to both and in units of the tolerance. */
export async function gradientError(check: Check): Promise<number> {
  const { build, shapes, dtype = 'float64', symbol } = check;
  const graph = new Graph();
  const inputs = shapes.map((dims, index) => graph.input(`input${index}`, dtype, named(dims, symbol)));
  const [a, b, c] = inputs;
  if (a === undefined) throw new RangeError('A check needs at least one input.');
  const result = build(a, b ?? a, c ?? a);
  // Weighting the result with its own numbers gives every output a different gradient.
  const loss = reduceSum(mul(result, weightsLike(result, symbol)));
  const ofInputs = gradients(loss, inputs);
  const outputs = Object.fromEntries(ofInputs.map((value, index) => [`d${index}`, value]));
  const session = await openSession(runtime, forwardProgram(graph, { loss, result, ...outputs }));
  try {
    const numbers = check.numbers(shapes.reduce((count, dims) => count + countOf(dims), 0));
    const feeds = fill(shapes, numbers, dtype);
    const exact = await session.run(feeds);
    const { nudge, tolerance } = {
      ...PRECISION[dtype],
      ...(check.tolerance && { tolerance: check.tolerance }),
    };
    const declared = result.shape.map(dim => resolve(dim, new Map([['B', symbol ?? Number.NaN]])));
    if (String(exact['result']?.dims) !== String(declared)) {
      throw new Error(`The result is [${exact['result']?.dims}], and was declared to be [${declared}].`);
    }
    let worst = 0;
    for (const [index, dims] of shapes.entries()) {
      const data = feeds[`input${index}`]?.data as Float64Array;
      for (let at = 0; at < countOf(dims); at++) {
        const value = data[at] ?? 0;
        const lossAt = async (moved: number): Promise<number> => {
          data[at] = moved;
          const { loss } = await session.run(feeds);
          data[at] = value;
          return Number(loss?.data[0]);
        };
        const difference = ((await lossAt(value + nudge)) - (await lossAt(value - nudge))) / (2 * nudge);
        const gradient = Number(exact[`d${index}`]?.data[at]);
        const size = Math.max(1, Math.abs(difference), Math.abs(gradient));
        const error = Math.abs(difference - gradient) / size / tolerance;
        worst = Math.max(worst, Number.isNaN(error) ? Infinity : error);
      }
    }
    return worst;
  } finally {
    await session.close();
  }
}

const named = (dims: readonly number[], symbol: number | undefined): TensorShape =>
  dims.map((dim, axis) => (axis === 0 && dim === symbol ? 'B' : dim));

function weightsLike(result: Value, symbol: number | undefined): Value {
  const dims = result.shape.map(dim => (typeof dim === 'number' ? dim : 1));
  const numbers = Array.from(
    { length: countOf(dims) },
    (_, index) => Math.cos(1.7 * index) + (symbol ? 0.5 : 0),
  );
  return result.graph.constant(result.dtype, dims, numbers);
}

function fill(shapes: Check['shapes'], numbers: readonly number[], dtype: 'float32' | 'float64') {
  const feeds: Record<string, Tensor> = {};
  let from = 0;
  for (const [index, dims] of shapes.entries()) {
    const part = numbers.slice(from, from + countOf(dims));
    const data = dtype === 'float64' ? Float64Array.from(part) : Float32Array.from(part);
    feeds[`input${index}`] = { dtype, dims, data };
    from += part.length;
  }
  return feeds;
}
