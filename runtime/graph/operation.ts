// What an operation is: its name in ONNX, the types of its results, and its gradient. The operations stand in ops/,
// each beside its gradient.

import type { Attributes, Node, TensorType, Value } from './graph.ts';

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

export interface Operation {
  readonly type: string;
  readonly infer: (inference: Inference) => readonly TensorType[];
  /** Missing: differentiating through this operation is an error, never a silent zero. */
  readonly gradient?: Gradient;
}

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
