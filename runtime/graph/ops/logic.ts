// Comparisons, logic, where, clip, cast and stopGradient. Comparisons and logic return bool, which has no gradient.

import { at } from '../../core/at.ts';
import type { Operation, Value } from '../graph.ts';
import { only } from '../operation.ts';
import { broadcast } from '../shape.ts';
import type { DType } from '../tensor.ts';
import { type Binary, broadcastOf, lifted, type Operand, type Unary } from './elementwise.ts';
import { sumTo } from './reduce.ts';

function comparison(type: string, kind: 'numbers' | 'bools'): Binary {
  const operation: Operation = {
    type,
    infer: inference => [{ dtype: 'bool', shape: broadcastOf(inference, kind).shape }],
  };
  return (a, b) => {
    const inputs = lifted([a, b]);
    return only(at(inputs, 0).graph.apply(operation, inputs));
  };
}

export const less: Binary = comparison('Less', 'numbers');
export const lessOrEqual: Binary = comparison('LessOrEqual', 'numbers');
export const equal: Binary = comparison('Equal', 'numbers');
export const and: Binary = comparison('And', 'bools');

const WHERE: Operation = {
  type: 'Where',
  infer: inference => {
    const [condition, ...branches] = inference.inputs;
    if (condition?.dtype !== 'bool') inference.refuse('the condition must be bool');
    const { dtype, shape } = broadcastOf(inference, 'numbers', branches);
    const whole = broadcast(shape, condition?.shape ?? []);
    return [{ dtype, shape: whole ?? inference.refuse('the condition cannot be broadcast to the branches') }];
  },
  gradient: (node, [dy]) => {
    const [condition, a, b] = [at(node.inputs, 0), at(node.inputs, 1), at(node.inputs, 2)];
    return [undefined, dy && sumTo(where(condition, dy, 0), a), dy && sumTo(where(condition, 0, dy), b)];
  },
};

/** The first value where the condition holds, else the second. The other value gets a gradient of 0, even if it is infinite. */
export function where(condition: Value, a: Operand, b: Operand): Value {
  return only(condition.graph.apply(WHERE, [condition, ...lifted([a, b])]));
}

const CLIP: Operation = {
  type: 'Clip',
  infer: inference => [broadcastOf(inference, 'numbers')],
  // Only numbers within the bounds receive the gradient.
  gradient: (node, [dy]) => [dy && where(equal(at(node.inputs, 0), at(node.outputs, 0)), dy, 0)],
};

export function clip(x: Value, low: number, high: number): Value {
  return only(x.graph.apply(CLIP, lifted([x, low, high])));
}

const STOP_GRADIENT: Operation = {
  type: 'Identity',
  infer: ({ inputs }) => inputs.map(({ dtype, shape }) => ({ dtype, shape })),
  gradient: 'stopped',
};

/** Identity with a gradient of zero. */
export const stopGradient: Unary = x => only(x.graph.apply(STOP_GRADIENT, [x]));

export function cast(x: Value, dtype: DType): Value {
  if (x.dtype === dtype) return x;
  const operation: Operation = {
    type: 'Cast',
    infer: () => [{ dtype, shape: x.shape }],
    gradient: (_node, [dy]) => [dy && cast(dy, x.dtype)],
  };
  return only(x.graph.apply(operation, [x], { to: { dtype } }));
}
