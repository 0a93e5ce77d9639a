// Gather operations. Their gradients scatter-add to the gathered positions.

import type { Operation, Value } from '../graph.ts';
import { axisIn, only, typeOf } from '../operation.ts';
import { replaceAt } from '../shape.ts';
import { unsqueeze, zerosLike } from './arrange.ts';
import { cast } from './logic.ts';

/** Rows of x in the order of the indices, for example of an embedding table. */
export function gather(x: Value, indices: Value): Value {
  const operation: Operation = {
    type: 'Gather',
    infer: inference => {
      axisIn(inference, 0, x);
      typeOf(inference, 'indices', [indices]);
      return [{ dtype: x.dtype, shape: [...indices.shape, ...x.shape.slice(1)] }];
    },
    gradient: (_node, [dy]) => [dy && scatterRows(x, indices, dy)],
  };
  return only(x.graph.apply(operation, [x, indices], { axis: 0 }));
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
