// Operations that rearrange numbers: reshape, transpose, expand, concat and split.

import { at } from '../../core/at.ts';
import { GraphError, type Operation, type Value } from '../graph.ts';
import { axisIn, only } from '../operation.ts';
import {
  broadcast,
  dividedBy,
  isDim,
  isStatic,
  replaceAt,
  sameShape,
  show,
  sizeOf,
  type TensorShape,
} from '../shape.ts';
import { sumTo } from './reduce.ts';

/** The shape as a value: a constant if it is static, else computed when the graph runs. */
export function shapeOf(x: Value): Value {
  if (isStatic(x.shape)) return x.graph.constant('int64', [x.shape.length], x.shape);
  const operation: Operation = { type: 'Shape', infer: () => [{ dtype: 'int64', shape: [x.shape.length] }] };
  return only(x.graph.apply(operation, [x]));
}

export const zerosLike = (x: Value): Value => expandLike(x.graph.scalar(x.dtype, 0), x);

/** Reshapes a value; one dimension may be -1, which is then inferred. */
export function reshape(x: Value, to: TensorShape): Value {
  const shape = completed(x.shape, to);
  return sameShape(x.shape, shape) ? x : applyReshape(x, reshapeTarget(x, shape), shape);
}

function completed(from: TensorShape, to: TensorShape): TensorShape {
  const rest = to.indexOf(-1);
  const left = rest < 0 ? undefined : dividedBy(sizeOf(from), sizeOf(to.filter(dim => dim !== -1)));
  return left === undefined ? to : replaceAt(to, rest, left);
}

function applyReshape(x: Value, target: Value, shape: TensorShape): Value {
  const operation: Operation = {
    type: 'Reshape',
    infer: ({ refuse }) => {
      if (!shape.every(isDim) || sizeOf(shape) !== sizeOf(x.shape)) {
        refuse(`it cannot become ${show(shape)}, which has another size`);
      }
      return [{ dtype: x.dtype, shape }];
    },
    gradient: (_node, [dy]) => {
      const symbols = x.shape.filter(dim => typeof dim === 'string');
      return [dy && applyReshape(dy, symbols.length > 1 ? shapeOf(x) : reshapeTarget(dy, x.shape), x.shape)];
    },
  };
  return only(x.graph.apply(operation, [x, target]));
}

/** The shape operand of Reshape: 0 keeps the dimension of the input, -1 is inferred when the graph runs. */
function reshapeTarget(from: Value, shape: TensorShape): Value {
  const known = shape.map((dim, place) =>
    typeof dim === 'number' ? dim : from.shape[place] === dim ? 0 : -1,
  );
  if (known.filter(dim => dim === -1).length > 1) {
    throw new GraphError(
      `'${from.name}' ${show(from.shape)} cannot be reshaped to ${show(shape)}: only one dimension with a symbol may move.`,
    );
  }
  return from.graph.constant('int64', [known.length], known);
}

/** A new axis of size one. */
export function unsqueeze(x: Value, axis: number): Value {
  const rank = x.shape.length;
  const place = axis < 0 ? axis + rank + 1 : axis;
  if (place < 0 || place > rank) {
    throw new GraphError(`'${x.name}' ${show(x.shape)} cannot get a new axis ${axis}.`);
  }
  return reshape(x, x.shape.toSpliced(place, 0, 1));
}

export const flatten = (x: Value): Value => reshape(x, [-1]);

/** Repeats a value until it has the shape of another. */
export function expandLike(x: Value, like: Value): Value {
  if (sameShape(x.shape, like.shape)) return x;
  return applyExpand(x, shapeOf(like), like.shape);
}

export function expand(x: Value, to: readonly number[]): Value {
  return applyExpand(x, x.graph.constant('int64', [to.length], to), to);
}

function applyExpand(x: Value, target: Value, to: TensorShape): Value {
  const operation: Operation = {
    type: 'Expand',
    infer: ({ refuse }) => {
      const whole = broadcast(x.shape, to);
      const fits = whole !== undefined && sameShape(whole, to);
      return [{ dtype: x.dtype, shape: fits ? to : refuse(`it cannot be expanded to ${show(to)}`) }];
    },
    gradient: (_node, [dy]) => [dy && sumTo(dy, x)],
  };
  return only(x.graph.apply(operation, [x, target]));
}

export function transpose(x: Value, order: readonly number[]): Value {
  const operation: Operation = {
    type: 'Transpose',
    infer: ({ refuse }) => {
      const isOrder = [...order].sort((a, b) => a - b).every((axis, place) => axis === place);
      if (!isOrder || order.length !== x.shape.length) refuse(`[${order}] is no order of its axes`);
      return [{ dtype: x.dtype, shape: order.map(axis => at(x.shape, axis)) }];
    },
    gradient: (_node, [dy]) => [
      dy &&
        transpose(
          dy,
          order.map((_, axis) => order.indexOf(axis)),
        ),
    ],
  };
  return only(x.graph.apply(operation, [x], { perm: order }));
}

/** Swaps the last two axes. */
export function swapLast(x: Value): Value {
  const rank = x.shape.length;
  const order = x.shape.map((_, axis) => (axis < rank - 2 ? axis : axis === rank - 1 ? rank - 2 : rank - 1));
  return transpose(x, order);
}

export function concat(values: readonly Value[], axis: number): Value {
  const [first] = values;
  if (first === undefined) throw new GraphError('Concat needs at least one value.');
  if (values.length === 1) return first;
  const operation: Operation = {
    type: 'Concat',
    infer: inference => {
      const { refuse } = inference;
      const along = axisIn(inference, axis, first);
      let total = 0;
      for (const value of values) {
        const size = value.shape[along];
        if (typeof size !== 'number') return refuse(`axis ${axis} must have a known size everywhere`);
        if (
          value.dtype !== first.dtype ||
          !sameShape(replaceAt(value.shape, along, 1), replaceAt(first.shape, along, 1))
        ) {
          refuse(`the values differ in more than the size of axis ${axis}`);
        }
        total += size;
      }
      return [{ dtype: first.dtype, shape: replaceAt(first.shape, along, total) }];
    },
    gradient: (_node, [dy]) =>
      dy
        ? split(
            dy,
            values.map(value => sizeAlong(value, axis)),
            axis,
          )
        : [],
  };
  return only(first.graph.apply(operation, values, { axis }));
}

function sizeAlong(x: Value, axis: number): number {
  const size = x.shape.at(axis);
  if (typeof size === 'number') return size;
  throw new GraphError(`'${x.name}' ${show(x.shape)} has no known size along axis ${axis}.`);
}

/** Splits a value along an axis into parts of the given sizes. */
export function split<const Sizes extends readonly number[]>(
  x: Value,
  sizes: Sizes,
  axis: number,
): { readonly [Index in keyof Sizes]: Value } {
  const parts = sizes.length === 1 && sizes[0] === x.shape.at(axis) ? [x] : applySplit(x, sizes, axis);
  return parts as { readonly [Index in keyof Sizes]: Value };
}

function applySplit(x: Value, sizes: readonly number[], axis: number): readonly Value[] {
  const operation: Operation = {
    type: 'Split',
    infer: inference => {
      const { refuse } = inference;
      const along = axisIn(inference, axis, x);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      if (!sizes.every(isDim) || x.shape[along] !== total)
        refuse(`the parts [${sizes}] do not add up to axis ${axis}`);
      return sizes.map(size => ({ dtype: x.dtype, shape: replaceAt(x.shape, along, size) }));
    },
    // A part that the loss does not depend on has a gradient of zeros.
    gradient: (node, dys) => [
      concat(
        node.outputs.map((part, index) => dys[index] ?? zerosLike(part)),
        axis,
      ),
    ],
  };
  const parts = x.graph.constant('int64', [sizes.length], sizes);
  return x.graph.apply(operation, [x, parts], { axis });
}
