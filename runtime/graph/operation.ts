// Checks of the inputs of an operation, for the type inference of the operations in ops/.

import type { Inference, Value } from './graph.ts';
import { axisOf } from './shape.ts';
import { type DType, isFloat } from './tensor.ts';

const KINDS = {
  floats: { holds: isFloat, words: 'float32 or float64' },
  numbers: { holds: (dtype: DType) => dtype !== 'bool', words: 'numbers' },
  bools: { holds: (dtype: DType) => dtype === 'bool', words: 'bool' },
  indices: {
    holds: (dtype: DType) => dtype === 'int32' || dtype === 'int64',
    words: 'indices of int32 or int64',
  },
} as const;

export type TypeKind = keyof typeof KINDS;

/** The common type of some inputs, which must be of `kind`. */
export function typeOf(
  { inputs, refuse }: Inference,
  kind: TypeKind,
  some: readonly Value[] = inputs,
): DType {
  const [first, ...others] = some;
  if (first === undefined) return refuse('it needs an input');
  if (others.some(other => other.dtype !== first.dtype))
    refuse('the inputs differ in type; cast one of them');
  const { holds, words } = KINDS[kind];
  return holds(first.dtype) ? first.dtype : refuse(`it takes ${words}, not ${first.dtype}`);
}

/** An axis of a value, counted from the front. */
export const axisIn = ({ refuse }: Inference, axis: number, of: Value): number =>
  axisOf(axis, of.shape.length) ?? refuse(`there is no axis ${axis}`);

/** The output of an operation with a single output. */
export function only(values: readonly Value[]): Value {
  const [value] = values;
  if (value === undefined || values.length !== 1)
    throw new RangeError(`Expected one value, got ${values.length}.`);
  return value;
}
