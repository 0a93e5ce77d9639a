// What an operation is: its name in ONNX, the types of its results, and its gradient. The operations stand in ops/,
// each beside its gradient.

import type { Attributes, Node, TensorType, Value } from './graph.ts';
import { axisOf } from './shape.ts';
import { type DType, isFloat } from './tensor.ts';

export interface Inference {
  readonly inputs: readonly Value[];
  readonly attributes: Attributes;
  /** Stops building with an error that names the node and the shapes of its inputs. */
  readonly refuse: (reason: string) => never;
}

/**
 * Given a node and the gradient of the loss with respect to each of its outputs (undefined where nothing depends on
 * it), the gradient with respect to each input (undefined where there is none by nature, as for an index).
 */
export type Gradient = (
  node: Node,
  ofOutputs: readonly (Value | undefined)[],
) => readonly (Value | undefined)[];

/** What takes attributes is a closure over them, made anew for each node; what takes none is a constant. */
export interface Operation {
  readonly type: string;
  readonly infer: (inference: Inference) => readonly TensorType[];
  /** Missing: differentiating through this operation is an error, never a silent zero. 'stopped' says that zero is meant. */
  readonly gradient?: Gradient | 'stopped';
}

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

/** The one type of some inputs, which must be of a kind. */
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

/** The only output of an operation that has one. */
export function only(values: readonly Value[]): Value {
  const [value] = values;
  if (value === undefined || values.length !== 1)
    throw new RangeError(`Expected one value, got ${values.length}.`);
  return value;
}

/** The value at a position that the operation's own definition guarantees. */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`There is no value at ${index} of ${values.length}.`);
  return value;
}
