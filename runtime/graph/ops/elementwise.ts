// Elementwise operations of one or two values, with broadcasting: the operation and its gradient in one line each.
// y is the result, dy the gradient of the loss with respect to it.

import { type Graph, GraphError, type TensorType, type Value } from '../graph.ts';
import { at, type Inference, type Operation, only } from '../operation.ts';
import { broadcast } from '../shape.ts';
import { isFloat } from '../tensor.ts';
import { sumTo } from './reduce.ts';

export type Operand = Value | number;
export type Unary = (x: Value) => Value;
export type Binary = (a: Operand, b: Operand) => Value;

/** Plain numbers become constants of the type of the values beside them. */
function lift(operands: readonly Operand[]): readonly Value[] {
  const model = operands.findLast((operand): operand is Value => typeof operand !== 'number');
  if (model === undefined)
    throw new GraphError('An operation needs at least one value beside plain numbers.');
  const graph: Graph = model.graph;
  return operands.map(operand =>
    typeof operand === 'number' ? graph.scalar(model.dtype, operand) : operand,
  );
}

function sameTypeBroadcast({ inputs, refuse }: Inference): TensorType {
  const [first, ...others] = inputs;
  if (first === undefined) return refuse('it needs an input');
  let shape = first.shape;
  for (const other of others) {
    if (other.dtype !== first.dtype) refuse('the inputs differ in type; cast one of them');
    shape = broadcast(shape, other.shape) ?? refuse('the shapes cannot be broadcast to each other');
  }
  return { dtype: first.dtype, shape };
}

function unary(type: string, derivative?: (dy: Value, x: Value, y: Value) => Value): Unary {
  const operation: Operation = {
    type,
    infer: ({ inputs, refuse }) => {
      const x = at(inputs, 0);
      return isFloat(x.dtype)
        ? [{ dtype: x.dtype, shape: x.shape }]
        : refuse('it takes floating-point numbers');
    },
    ...(derivative && {
      gradient: (node, [dy]) => [dy && derivative(dy, at(node.inputs, 0), at(node.outputs, 0))],
    }),
  };
  return x => only(x.graph.apply(operation, [x]));
}

type Partials = (dy: Value, a: Value, b: Value, y: Value) => readonly [Value, Value];

function binary(type: string, partials: Partials): Binary {
  const operation: Operation = {
    type,
    infer: inference => [sameTypeBroadcast(inference)],
    gradient: (node, [dy]) => {
      if (dy === undefined) return [];
      const [a, b, y] = [at(node.inputs, 0), at(node.inputs, 1), at(node.outputs, 0)];
      const [da, db] = partials(dy, a, b, y);
      return [sumTo(da, a), sumTo(db, b)];
    },
  };
  return (a, b) => {
    const inputs = lift([a, b]);
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
/** Where both are equal, the first has the gradient. */
export const min: Binary = binary('Min', (dy, a, b) => [keep(lessOrEqual(a, b), dy), keep(less(b, a), dy)]);
export const max: Binary = binary('Max', (dy, a, b) => [keep(lessOrEqual(b, a), dy), keep(less(a, b), dy)]);

export const neg: Unary = unary('Neg', dy => neg(dy));
export const sqrt: Unary = unary('Sqrt', (dy, _x, y) => div(mul(dy, 0.5), y));
export const exp: Unary = unary('Exp', (dy, _x, y) => mul(dy, y));
export const log: Unary = unary('Log', (dy, x) => div(dy, x));
export const sin: Unary = unary('Sin', (dy, x) => mul(dy, cos(x)));
export const cos: Unary = unary('Cos', (dy, x) => neg(mul(dy, sin(x))));
export const tanh: Unary = unary('Tanh', (dy, _x, y) => mul(dy, sub(1, mul(y, y))));
export const sigmoid: Unary = unary('Sigmoid', (dy, _x, y) => mul(dy, mul(y, sub(1, y))));
/** A product with 0 or 1 takes half the time of a choice, and this is the widest operation of most networks. */
export const relu: Unary = unary('Relu', (dy, _x, y) => mul(dy, cast(less(0, y), dy.dtype)));
export const erf: Unary = unary('Erf', (dy, x) => mul(dy, mul(2 / Math.sqrt(Math.PI), exp(neg(mul(x, x))))));
/** x·Φ(x), with Φ the normal distribution; its derivative is Φ(x) + x·φ(x). */
export const gelu: Unary = unary('Gelu', (dy, x) => {
  const below = mul(0.5, add(1, erf(mul(x, Math.SQRT1_2))));
  const density = mul(1 / Math.sqrt(2 * Math.PI), exp(mul(-0.5, mul(x, x))));
  return mul(dy, add(below, mul(x, density)));
});
export const square: Unary = x => mul(x, x);

/** dy where the condition holds, else zero. */
function keep(condition: Value, dy: Value): Value {
  return where(condition, dy, 0);
}

const WHERE: Operation = {
  type: 'Where',
  infer: inference => {
    const [condition, ...branches] = inference.inputs;
    if (condition?.dtype !== 'bool') inference.refuse('the condition must be bool');
    const { dtype, shape } = sameTypeBroadcast({ ...inference, inputs: branches });
    const whole = broadcast(shape, condition?.shape ?? []);
    return [{ dtype, shape: whole ?? inference.refuse('the condition cannot be broadcast to the branches') }];
  },
  gradient: (node, [dy]) => {
    const [condition, a, b] = [at(node.inputs, 0), at(node.inputs, 1), at(node.inputs, 2)];
    return [undefined, dy && sumTo(where(condition, dy, 0), a), dy && sumTo(where(condition, 0, dy), b)];
  },
};

export function where(condition: Value, a: Operand, b: Operand): Value {
  return only(condition.graph.apply(WHERE, [condition, ...lift([a, b])]));
}

const CLIP: Operation = {
  type: 'Clip',
  infer: inference => [sameTypeBroadcast(inference)],
  // What the clip left as it was has the gradient.
  gradient: (node, [dy]) => [dy && keep(equal(at(node.inputs, 0), at(node.outputs, 0)), dy)],
};

export function clip(x: Value, low: number, high: number): Value {
  return only(x.graph.apply(CLIP, lift([x, low, high])));
}

/** The same value, through which no gradient passes. */
export const STOP_GRADIENT: Operation = {
  type: 'Identity',
  infer: ({ inputs }) => inputs.map(({ dtype, shape }) => ({ dtype, shape })),
};
export const stopGradient: Unary = x => only(x.graph.apply(STOP_GRADIENT, [x]));

const CAST_CODES = { float32: 1, uint8: 2, int32: 6, int64: 7, bool: 9, float64: 11 } as const;

export function cast(x: Value, dtype: Value['dtype']): Value {
  if (x.dtype === dtype) return x;
  const operation: Operation = {
    type: 'Cast',
    infer: () => [{ dtype, shape: x.shape }],
    gradient: (_node, [dy]) => [dy && cast(dy, x.dtype)],
  };
  return only(x.graph.apply(operation, [x], { to: CAST_CODES[dtype] }));
}

// Comparisons and logic give bool, through which no gradient flows: their results are steps.

function comparison(type: string): Binary {
  const operation: Operation = {
    type,
    infer: inference => [{ dtype: 'bool', shape: sameTypeBroadcast(inference).shape }],
  };
  return (a, b) => {
    const inputs = lift([a, b]);
    return only(at(inputs, 0).graph.apply(operation, inputs));
  };
}

export const less: Binary = comparison('Less');
export const lessOrEqual: Binary = comparison('LessOrEqual');
export const equal: Binary = comparison('Equal');
export const and: Binary = comparison('And');
export const or: Binary = comparison('Or');

export function not(x: Value): Value {
  const operation: Operation = { type: 'Not', infer: () => [{ dtype: 'bool', shape: x.shape }] };
  return only(x.graph.apply(operation, [x]));
}
