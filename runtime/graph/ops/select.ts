// Gather operations. Their gradients scatter-add to the gathered positions.

import type { Value } from '../graph.ts';
import { axisIn, type Operation, only, typeOf } from '../operation.ts';
import { replaceAt } from '../shape.ts';
import { toFront, transpose, unsqueeze, zerosLike } from './arrange.ts';
import { cast } from './logic.ts';

/** Rows of x along an axis in the order of the indices, for example of an embedding table. */
export function gather(x: Value, indices: Value, axis = 0): Value {
  const operation: Operation = {
    type: 'Gather',
    infer: inference => {
      const along = axisIn(inference, axis, x);
      typeOf(inference, 'indices', [indices]);
      return [
        {
          dtype: x.dtype,
          shape: [...x.shape.slice(0, along), ...indices.shape, ...x.shape.slice(along + 1)],
        },
      ];
    },
    gradient: (_node, [dy]) => {
      if (dy === undefined) return [];
      const along = axis < 0 ? axis + x.shape.length : axis;
      return [along === 0 ? scatterRows(x, indices, dy) : scatterAlong(x, indices, dy, along)];
    },
  };
  return only(x.graph.apply(operation, [x, indices], { axis }));
}

/** The gradient with the gathered axis moved to the front and back. */
function scatterAlong(x: Value, indices: Value, dy: Value, axis: number): Value {
  const order = toFront(x.shape.length, axis, 1);
  const rows = transpose(dy, toFront(dy.shape.length, axis, indices.shape.length));
  return transpose(
    scatterRows(transpose(x, order), indices, rows),
    order.map((_, place) => order.indexOf(place)),
  );
}

/** Zeros in the shape of x, with rows added at the indices. */
function scatterRows(x: Value, indices: Value, rows: Value): Value {
  const operation: Operation = { type: 'ScatterND', infer: () => [{ dtype: x.dtype, shape: x.shape }] };
  const places = cast(unsqueeze(indices, -1), 'int64');
  return only(x.graph.apply(operation, [zerosLike(x), places, rows], { reduction: 'add' }));
}

/** One number of x per index: `indices` selects along the axis, all other coordinates equal the index's position. */
export function gatherElements(x: Value, indices: Value, axis = -1): Value {
  const operation: Operation = {
    type: 'GatherElements',
    infer: inference => {
      const along = axisIn(inference, axis, x);
      typeOf(inference, 'indices', [indices]);
      const fits = replaceAt(indices.shape, along, 1).join() === replaceAt(x.shape, along, 1).join();
      return [
        {
          dtype: x.dtype,
          shape: fits ? indices.shape : inference.refuse(`the shapes must agree except along axis ${axis}`),
        },
      ];
    },
    gradient: (_node, [dy]) => {
      const scatter: Operation = {
        type: 'ScatterElements',
        infer: () => [{ dtype: x.dtype, shape: x.shape }],
      };
      return [dy && only(x.graph.apply(scatter, [zerosLike(x), indices, dy], { axis, reduction: 'add' }))];
    },
  };
  return only(x.graph.apply(operation, [x, indices], { axis }));
}
