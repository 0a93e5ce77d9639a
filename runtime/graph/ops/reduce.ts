// Reductions along axes.

import { at } from '../../core/at.ts';
import type { Operation, Value } from '../graph.ts';
import { axisIn, only, typeOf } from '../operation.ts';
import { dividedBy, sameShape, sizeOf } from '../shape.ts';
import { expandLike, reshape, shapeOf } from './arrange.ts';
import { div, mul } from './elementwise.ts';
import { cast, equal } from './logic.ts';

type Reduce = (x: Value, axes?: readonly number[], options?: { readonly keepDims?: boolean }) => Value;

/** The node keeps the reduced axes with size 1; a Reshape drops them unless `keepDims` is set. */
function reduction(
  type: string,
  derivative: (dy: Value, x: Value, y: Value, axes: readonly number[]) => Value,
): Reduce {
  return (x, axes = x.shape.map((_, axis) => axis), { keepDims = false } = {}) => {
    const rank = x.shape.length;
    const along = axes.map(axis => (axis < 0 ? axis + rank : axis));
    const operation: Operation = {
      type,
      infer: inference => {
        // An empty list means all axes in ONNX and no axes elsewhere.
        if (along.length === 0 && rank > 0) inference.refuse('it needs at least one axis');
        for (const axis of along) axisIn(inference, axis, x);
        const dtype = typeOf(inference, 'floats', [x]);
        return [{ dtype, shape: x.shape.map((dim, axis) => (along.includes(axis) ? 1 : dim)) }];
      },
      gradient: (node, [dy]) => [dy && derivative(dy, x, at(node.outputs, 0), along)],
    };
    const list = x.graph.constant('int64', [along.length], along);
    const y = only(x.graph.apply(operation, [x, list], { keepdims: 1 }));
    return keepDims
      ? y
      : reshape(
          y,
          x.shape.filter((_, axis) => !along.includes(axis)),
        );
  };
}

export const reduceSum: Reduce = reduction('ReduceSum', (dy, x) => expandLike(dy, x));
export const reduceMean: Reduce = reduction('ReduceMean', (dy, x, y) => {
  const count = dividedBy(sizeOf(x.shape), sizeOf(y.shape));
  const share =
    typeof count === 'number'
      ? mul(dy, 1 / count)
      : div(dy, cast(div(sizeOfValue(x), sizeOfValue(y)), x.dtype));
  return expandLike(share, x);
});
/** Equal maxima share the gradient. */
export const reduceMax: Reduce = reduction('ReduceMax', (dy, x, y, axes) => {
  const tied = cast(equal(x, y), x.dtype);
  return mul(tied, div(dy, reduceSum(tied, axes, { keepDims: true })));
});
/** Sum of squares; used by the optimiser for norms. */
export const reduceSumSquare: Reduce = reduction('ReduceSumSquare', (dy, x) => mul(mul(2, dy), x));

/** Inverse of a broadcast: sums a gradient over the repeated axes. */
export function sumTo(dy: Value, like: Value): Value {
  if (sameShape(dy.shape, like.shape)) return dy;
  const missing = dy.shape.length - like.shape.length;
  const repeated = dy.shape.flatMap((dim, axis) =>
    axis < missing || (like.shape[axis - missing] === 1 && dim !== 1) ? [axis] : [],
  );
  return reshape(reduceSum(dy, repeated, { keepDims: true }), like.shape);
}

/** Number of elements, computed when the graph runs. */
function sizeOfValue(x: Value): Value {
  const operation: Operation = { type: 'ReduceProd', infer: () => [{ dtype: 'int64', shape: [] }] };
  return only(x.graph.apply(operation, [shapeOf(x)], { keepdims: 0 }));
}

/** Index of the maximum along an axis, without a gradient. */
export function argMax(x: Value, axis = -1): Value {
  const operation: Operation = {
    type: 'ArgMax',
    infer: inference => {
      typeOf(inference, 'numbers');
      const along = axisIn(inference, axis, x);
      return [{ dtype: 'int64', shape: x.shape.filter((_, each) => each !== along) }];
    },
  };
  return only(x.graph.apply(operation, [x], { axis, keepdims: 0 }));
}

/** Cumulative sum along an axis. */
export function cumulativeSum(x: Value, axis = -1, fromTheEnd = false): Value {
  const operation: Operation = {
    type: 'CumSum',
    infer: inference => {
      axisIn(inference, axis, x);
      return [{ dtype: typeOf(inference, 'floats', [x]), shape: x.shape }];
    },
    gradient: (_node, [dy]) => [dy && cumulativeSum(dy, axis, !fromTheEnd)],
  };
  const along = x.graph.constant('int64', [], [axis]);
  return only(x.graph.apply(operation, [x, along], { reverse: Number(fromTheEnd) }));
}
