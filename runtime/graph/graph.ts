// The forward graph: values, the nodes that compute them, in construction order, and the interface of their operations: ONNX name, type
// inference and gradient. It adds nodes and assigns unique names; ops/ defines the operations.

import { isDim, show, type TensorShape } from './shape.ts';
import { arrayOf, type DType, type Tensor, TensorError, whatIsWrong } from './tensor.ts';

/** A plain number is an ONNX integer; `{ float }` marks a float. */
export type Attribute =
  | number
  | string
  | readonly number[]
  | { readonly float: number }
  | { readonly dtype: DType };
export type Attributes = Readonly<Record<string, Attribute>>;

/** Type and shape of a value at construction time. */
export interface TensorType {
  readonly dtype: DType;
  readonly shape: TensorShape;
}

export interface Value extends TensorType {
  readonly graph: Graph;
  readonly name: string;
  readonly source: ValueSource;
}

/** Origin of a value: fed with each run, kept between runs, trained, constant, or computed by a node. */
export type ValueSource =
  | { readonly kind: 'input' }
  | { readonly kind: 'state' }
  | { readonly kind: 'parameter' }
  | { readonly kind: 'constant'; readonly tensor: Tensor }
  | { readonly kind: 'node'; readonly node: Node };

export interface Node {
  readonly name: string;
  readonly operation: Operation;
  readonly inputs: readonly Value[];
  readonly attributes: Attributes;
  readonly outputs: readonly Value[];
}

/** Initial numbers of a parameter of a shape; the caller provides the random source. */
export type Initial = (dims: readonly number[], random: () => number) => Float32Array<ArrayBuffer>;

export interface Parameter {
  readonly value: Value;
  readonly dims: readonly number[];
  readonly initial: Initial;
}

/** A construction error; the message names the node and the shapes. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
}

export class Graph {
  readonly inputs: Value[] = [];
  readonly states: Value[] = [];
  readonly parameters: Parameter[] = [];
  readonly nodes: Node[] = [];
  readonly #names = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #constants = new Map<string, Value>();
  #scope = '';

  /** A value that is fed with each run. */
  input(name: string, dtype: DType, shape: TensorShape): Value {
    refuseDims(name, shape);
    const value = this.#value(this.#claim(name), { dtype, shape }, { kind: 'input' });
    this.inputs.push(value);
    return value;
  }

  /** A value that a session keeps between runs. The same name returns the same value. */
  state(name: string, dtype: DType, dims: readonly number[]): Value {
    const existing = this.states.find(each => each.name === name);
    if (existing !== undefined && show(existing.shape) === show(dims)) return existing;
    if (existing !== undefined) {
      throw new GraphError(
        `The state '${name}' is ${show(existing.shape)} in an earlier program and would now be ${show(dims)}: create all parameters before the first program.`,
      );
    }
    const value = this.#value(this.#claim(name), { dtype, shape: dims }, { kind: 'state' });
    this.states.push(value);
    return value;
  }

  /** A trained value. All parameters are float32 and share one vector (layout.ts). */
  parameter(name: string, dims: readonly number[], initial: Initial): Value {
    refuseDims(name, dims);
    const type = { dtype: 'float32', shape: dims } as const;
    const value = this.#value(this.#claim(this.#scope + name), type, { kind: 'parameter' });
    this.parameters.push({ value, dims, initial });
    return value;
  }

  /** A constant; small equal constants are shared. */
  constant(dtype: DType, dims: readonly number[], numbers: readonly number[] | Tensor['data']): Value {
    const data = ArrayBuffer.isView(numbers) ? numbers.slice() : arrayOf(dtype, numbers);
    const wrong = whatIsWrong(dtype, dims, data);
    if (wrong !== undefined) throw new TensorError(`A constant of ${dtype} [${dims}] is refused: ${wrong}.`);
    const key = data.length <= 16 ? `${dtype}[${dims}]${data.join()}` : undefined;
    const known = key === undefined ? undefined : this.#constants.get(key);
    if (known !== undefined) return known;
    const source = { kind: 'constant', tensor: { dtype, dims, data } } as const;
    const value = this.#value(this.#fresh('constant'), { dtype, shape: dims }, source);
    if (key !== undefined) this.#constants.set(key, value);
    return value;
  }

  scalar(dtype: DType, number: number): Value {
    return this.constant(dtype, [], [number]);
  }

  /** Adds a node. Infers the types of its outputs and rejects inputs that do not fit. */
  apply(operation: Operation, inputs: readonly Value[], attributes: Attributes = {}): readonly Value[] {
    const name = this.#fresh(`${this.#scope}${operation.type}`);
    for (const input of inputs) {
      if (input.graph !== this) throw new GraphError(`${name}: '${input.name}' belongs to another graph.`);
    }
    const refuse = (reason: string): never => {
      const shapes = inputs.map(input => `'${input.name}' ${input.dtype}${show(input.shape)}`);
      throw new GraphError(`${name}: ${reason} (inputs: ${shapes.join(', ') || 'none'}).`);
    };
    const types = operation.infer({ inputs, attributes, refuse });
    const outputs: Value[] = [];
    const node = { name, operation, inputs, attributes, outputs };
    types.forEach((type, index) => {
      outputs.push(this.#value(index === 0 ? name : `${name}:${index}`, type, { kind: 'node', node }));
    });
    this.nodes.push(node);
    return outputs;
  }

  /** Prefixes the names of everything that `build` adds. */
  scope<T>(name: string, build: () => T): T {
    const outer = this.#scope;
    this.#scope = `${outer}${name}.`;
    try {
      return build();
    } finally {
      this.#scope = outer;
    }
  }

  #value(name: string, type: TensorType, source: ValueSource): Value {
    return { graph: this, name, dtype: type.dtype, shape: type.shape, source };
  }

  #claim(name: string): string {
    if (name === '') throw new GraphError('A value needs a name.');
    if (this.#names.has(name)) throw new GraphError(`The name '${name}' is taken; names are used once.`);
    this.#names.add(name);
    return name;
  }

  #fresh(stem: string): string {
    const count = (this.#counts.get(stem) ?? 0) + 1;
    this.#counts.set(stem, count);
    const name = `${stem}#${count}`;
    return this.#names.has(name) ? this.#fresh(stem) : this.#claim(name);
  }
}

function refuseDims(name: string, shape: TensorShape): void {
  const wrong = shape.find(dim => !isDim(dim));
  if (wrong === undefined) return;
  throw new GraphError(
    `'${name}' ${show(shape)}: ${JSON.stringify(wrong)} is not a dimension; give a whole number from 1, or a symbol such as B or 8*B.`,
  );
}

export interface Inference {
  readonly inputs: readonly Value[];
  readonly attributes: Attributes;
  /** Throws an error that names the node and the shapes of its inputs. */
  readonly refuse: (reason: string) => never;
}

/**
 * Maps the gradients of the loss with respect to a node's outputs (undefined if the loss does not depend on an output) to the
 * gradients with respect to its inputs (undefined for inputs without a gradient, such as an index).
 */
export type Gradient = (
  node: Node,
  ofOutputs: readonly (Value | undefined)[],
) => readonly (Value | undefined)[];

/** An operation with attributes is a closure, created for each node; one without attributes is a constant. */
export interface Operation {
  readonly type: string;
  readonly infer: (inference: Inference) => readonly TensorType[];
  /** If missing, differentiating this operation is an error. 'stopped' means an intended gradient of zero. */
  readonly gradient?: Gradient | 'stopped';
}
