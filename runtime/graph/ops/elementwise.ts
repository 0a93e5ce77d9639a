// Elementwise operations of one or two values, with broadcasting: the operation and its gradient in one line each.
// y is the result, dy the gradient of the loss with respect to it.

import { at } from '../../core/at.ts';
import { GraphError, type Inference, type Operation, type TensorType, type Value } from '../graph.ts';
import { only, type TypeKind, typeOf } from '../operation.ts';
import { broadcast } from '../shape.ts';
import { cast, less, lessOrEqual, where } from './logic.ts';
import { sumTo } from './reduce.ts';

export type Operand = Value | number;
export type Unary = (x: Value) => Value;
export type Binary = (a: Operand, b: Operand) => Value;

/** Plain numbers become constants of the other operand's type. */
export function lifted(operands: readonly Operand[]): readonly Value[] {
  const beside = operands.find(operand => typeof operand !== 'number');
  if (beside === undefined)
    throw new GraphError('An operation needs at least one value beside plain numbers.');
  return operands.map(operand =>
    typeof operand === 'number' ? beside.graph.scalar(beside.dtype, operand) : operand,
  );
}

/** The type of an elementwise result. */
export function broadcastOf(inference: Inference, kind: TypeKind, some = inference.inputs): TensorType {
  const dtype = typeOf(inference, kind, some);
  const shape = some
    .map(value => value.shape)
    .reduce((a, b) => {
      return broadcast(a, b) ?? inference.refuse('the shapes cannot be broadcast to each other');
    });
  return { dtype, shape };
}

function unary(type: string, derivative: (dy: Value, x: Value, y: Value) => Value): Unary {
  const operation: Operation = {
    type,
    infer: inference => [{ dtype: typeOf(inference, 'floats'), shape: at(inference.inputs, 0).shape }],
    gradient: (node, [dy]) => [dy && derivative(dy, at(node.inputs, 0), at(node.outputs, 0))],
  };
  return x => only(x.graph.apply(operation, [x]));
}

type Partials = (dy: Value, a: Value, b: Value, y: Value) => readonly [Value, Value];

function binary(type: string, partials: Partials): Binary {
  const operation: Operation = {
    type,
    infer: inference => [broadcastOf(inference, 'numbers')],
    gradient: (node, [dy]) => {
      if (dy === undefined) return [];
      const [a, b, y] = [at(node.inputs, 0), at(node.inputs, 1), at(node.outputs, 0)];
      const [da, db] = partials(dy, a, b, y);
      return [sumTo(da, a), sumTo(db, b)];
    },
  };
  return (a, b) => {
    const inputs = lifted([a, b]);
    return only(at(inputs, 0).graph.apply(operation, inputs));
  };
}

export const add: Binary = binary('Add', dy => [dy, dy]);
export const sub: Binary = binary('Sub', dy => [dy, neg(dy)]);
export const mul: Binary = binary('Mul', (dy, a, b) => [mul(dy, b), mul(dy, a)]);
export const div: Binary = binary('Div', (dy, _a, b, y) => [div(dy, b), neg(div(mul(dy, y), b))]);
export const pow: Binary = binary('Pow', (dy, a, b, y) => [
  mul(dy, mul(b, pow(a, sub(b, 1)))),
  mul(dy, mul(y, log(a))),
]);
/** If both are equal, the first receives the gradient. */
export const min: Binary = binary('Min', (dy, a, b) => [
  where(lessOrEqual(a, b), dy, 0),
  where(less(b, a), dy, 0),
]);
export const max: Binary = binary('Max', (dy, a, b) => [
  where(lessOrEqual(b, a), dy, 0),
  where(less(a, b), dy, 0),
]);

export const neg: Unary = unary('Neg', dy => neg(dy));
export const sqrt: Unary = unary('Sqrt', (dy, _x, y) => div(mul(dy, 0.5), y));
export const exp: Unary = unary('Exp', (dy, _x, y) => mul(dy, y));
export const log: Unary = unary('Log', (dy, x) => div(dy, x));
/** The gradient multiplies with 0 or 1, which takes half the time of `where`; relu is the largest operation of most networks. */
export const relu: Unary = unary('Relu', (dy, _x, y) => mul(dy, cast(less(0, y), dy.dtype)));
export const square: Unary = x => mul(x, x);
