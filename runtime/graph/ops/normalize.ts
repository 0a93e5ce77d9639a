// Operations that normalise along an axis: softmax, its logarithm, and layer normalisation.

import type { Value } from '../graph.ts';
import { at, type Operation, only } from '../operation.ts';
import { axisOf, sameShape } from '../shape.ts';
import { isFloat } from '../tensor.ts';
import { cast, exp, mul, sub } from './elementwise.ts';
import { reduceMean, reduceSum, sumTo } from './reduce.ts';

type AlongAxis = (x: Value, axis?: number) => Value;

function alongAxis(type: string, derivative: (dy: Value, y: Value, axis: number) => Value): AlongAxis {
  return (x, axis = -1) => {
    const operation: Operation = {
      type,
      infer: ({ refuse }) => {
        axisOf(axis, x.shape.length) ?? refuse(`there is no axis ${axis}`);
        return [
          isFloat(x.dtype) ? { dtype: x.dtype, shape: x.shape } : refuse('it takes floating-point numbers'),
        ];
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
    infer: ({ refuse }) => {
      if (!isFloat(x.dtype)) refuse('it takes floating-point numbers');
      if (!sameShape(gain.shape, last) || !sameShape(bias.shape, last))
        refuse('gain and bias must fit the last axis');
      // The two statistics are float32 whatever the input is: the runtime has no other kernels.
      const statistic = { dtype: 'float32', shape: [...x.shape.slice(0, -1), 1] } as const;
      return [{ dtype: x.dtype, shape: x.shape }, statistic, statistic];
    },
    gradient: (node, [dy]) => {
      if (dy === undefined) return [];
      const mean = cast(at(node.outputs, 1), x.dtype);
      const inverse = cast(at(node.outputs, 2), x.dtype);
      const normal = mul(sub(x, mean), inverse);
      const ofNormal = mul(dy, gain);
      const level = (value: Value) => reduceMean(value, [-1], { keepDims: true });
      const ofX = mul(
        inverse,
        sub(sub(ofNormal, level(ofNormal)), mul(normal, level(mul(ofNormal, normal)))),
      );
      return [ofX, sumTo(mul(dy, normal), gain), sumTo(dy, bias)];
    },
  };
  return at(x.graph.apply(operation, [x, gain, bias], { axis: -1, epsilon: { float: epsilon } }), 0);
}
