// Normalisation along an axis: softmax, log-softmax and layer normalisation.

import { at } from '../../core/at.ts';
import type { Operation, Value } from '../graph.ts';
import { axisIn, only, typeOf } from '../operation.ts';
import { sameShape } from '../shape.ts';
import { add, div, exp, mul, sqrt, square, sub } from './elementwise.ts';
import { reduceMean, reduceSum, sumTo } from './reduce.ts';

type AlongAxis = (x: Value, axis?: number) => Value;

function alongAxis(type: string, derivative: (dy: Value, y: Value, axis: number) => Value): AlongAxis {
  return (x, axis = -1) => {
    const operation: Operation = {
      type,
      infer: inference => {
        axisIn(inference, axis, x);
        return [{ dtype: typeOf(inference, 'floats'), shape: x.shape }];
      },
      gradient: (node, [dy]) => [dy && derivative(dy, at(node.outputs, 0), axis)],
    };
    return only(x.graph.apply(operation, [x], { axis }));
  };
}

const total = (x: Value, axis: number): Value => reduceSum(x, [axis], { keepDims: true });

export const softmax: AlongAxis = alongAxis('Softmax', (dy, y, axis) =>
  mul(y, sub(dy, total(mul(dy, y), axis))),
);
export const logSoftmax: AlongAxis = alongAxis('LogSoftmax', (dy, y, axis) =>
  sub(dy, mul(exp(y), total(dy, axis))),
);

/** Over the last axis: (x − mean)/deviation · gain + bias. */
export function layerNormalization(x: Value, gain: Value, bias: Value, epsilon = 1e-5): Value {
  const last = x.shape.slice(-1);
  const operation: Operation = {
    type: 'LayerNormalization',
    infer: inference => {
      const fits = last.length === 1 && sameShape(gain.shape, last) && sameShape(bias.shape, last);
      if (!fits) inference.refuse('gain and bias must fit the last axis');
      return [{ dtype: typeOf(inference, 'floats'), shape: x.shape }];
    },
    gradient: (_node, [dy]) => {
      if (dy === undefined) return [];
      const level = (value: Value) => reduceMean(value, [-1], { keepDims: true });
      const centred = sub(x, level(x));
      const inverse = div(1, sqrt(add(level(square(centred)), epsilon)));
      const normal = mul(centred, inverse);
      const ofNormal = mul(dy, gain);
      const ofX = mul(
        inverse,
        sub(sub(ofNormal, level(ofNormal)), mul(normal, level(mul(ofNormal, normal)))),
      );
      return [ofX, sumTo(mul(dy, normal), gain), sumTo(dy, bias)];
    },
  };
  return only(x.graph.apply(operation, [x, gain, bias], { axis: -1, epsilon: { float: epsilon } }));
}
