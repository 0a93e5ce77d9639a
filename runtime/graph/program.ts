// A program for a session: an ONNX model, its feeds, its outputs and its state between runs. Forward programs read their weights,
// training programs also update them, accumulating programs sum gradients for a later step. Programs are plain data, so they can be sent
// to another process.

import { type AdamOptions, type AdamState, adam, adamState, fedAdam } from './adam.ts';
import { gradients } from './gradient.ts';
import { Graph, GraphError, type Value } from './graph.ts';
import { flatWeights, inOrder, type Layout, layoutOf, WEIGHTS } from './layout.ts';
import { type ModelOutput, modelBytes, neededFor } from './onnx.ts';
import { concat, flatten } from './ops/arrange.ts';
import { add } from './ops/elementwise.ts';
import type { TensorShape } from './shape.ts';
import type { DType } from './tensor.ts';

export interface Spec {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: TensorShape;
}

export interface StateSpec {
  readonly name: string;
  readonly dtype: DType;
  readonly dims: readonly number[];
  /** The output that becomes this state after a run. */
  readonly next?: string;
  /** Unwritten state starts as zeros, except for weights, which must be written first. */
  readonly startsAsZeros: boolean;
}

export interface Program {
  readonly model: Uint8Array;
  readonly feeds: readonly Spec[];
  readonly outputs: readonly Spec[];
  readonly state: readonly StateSpec[];
  readonly layout: Layout;
}

export type Outputs = Readonly<Record<string, Value>>;

/** Outputs of every training program in addition to the requested ones. */
const TRAINING_OUTPUTS = ['loss', 'grad_norm', 'learning_rate', 'applied'] as const;

export function forwardProgram(graph: Graph, outputs: Outputs): Program {
  const layout = layoutOf(graph);
  const results = listed(outputs);
  const weights = layout.size > 0 ? flatWeights(graph, layout) : undefined;
  return {
    model: modelBytes(graph, results, layout, weights),
    feeds: feedsOf(graph, results),
    outputs: results.map(specOf),
    state: weights ? [{ name: WEIGHTS, dtype: 'float32', dims: [layout.size], startsAsZeros: false }] : [],
    layout,
  };
}

/** Forward pass, loss, gradients and Adam in one graph. `outputs` are computed with the weights before the update. */
export function trainingProgram(
  graph: Graph,
  loss: Value,
  optimiser: AdamOptions,
  outputs: Outputs = {},
): Program {
  for (const name of TRAINING_OUTPUTS) {
    if (!Object.hasOwn(outputs, name)) continue;
    throw new GraphError(`The output name '${name}' is reserved for training programs. Use another name.`);
  }
  const layout = layoutOf(graph);
  const gradient = gradientOf(graph, loss);
  const weights = flatWeights(graph, layout);
  const state = adamState(graph, weights, layout);
  const { norm, learningRate, applied, next } = adam(state, gradient, loss, layout, optimiser);
  const results = listed({ ...outputs, loss, grad_norm: norm, learning_rate: learningRate, applied });
  return steppingProgram(graph, results, state, next, layout, weights);
}

/** The state that an accumulating program adds to. */
export const GRADIENT = 'gradient';

/** Forward pass, loss and gradient in one graph. Each run adds its gradient to the state 'gradient'; the weights stay as they are. */
export function accumulatingProgram(graph: Graph, loss: Value, outputs: Outputs = {}): Program {
  const layout = layoutOf(graph);
  const weights = flatWeights(graph, layout);
  const sum = graph.state(GRADIENT, 'float32', [layout.size]);
  const next = `${GRADIENT}.next`;
  const results = listed({ ...outputs, loss });
  const all = [...results, { name: next, value: add(sum, gradientOf(graph, loss)) }];
  return {
    model: modelBytes(graph, all, layout, weights),
    feeds: feedsOf(graph, all),
    outputs: results.map(specOf),
    state: [
      { name: WEIGHTS, dtype: 'float32', dims: [layout.size], startsAsZeros: false },
      { name: GRADIENT, dtype: 'float32', dims: [layout.size], startsAsZeros: true, next },
    ],
    layout,
  };
}

/** One Adam step on the feed 'gradient', with every setting as a feed (ADAM_FEEDS). */
export function adamProgram(layout: Layout): Program {
  const graph = new Graph();
  const state = adamState(graph, flatWeights(graph, layout), layout);
  const gradient = graph.input(GRADIENT, 'float32', [layout.size]);
  const { norm, applied, next } = fedAdam(state, gradient, layout);
  return steppingProgram(graph, listed({ grad_norm: norm, applied }), state, next, layout, undefined);
}

/** The gradient of a loss as one vector, in the order of the layout. */
function gradientOf(graph: Graph, loss: Value): Value {
  const parameters = inOrder(graph.parameters).map(parameter => parameter.value);
  if (parameters.length === 0) {
    throw new GraphError(
      `The graph of '${loss.name}' has no parameters to train. Add one with graph.parameter.`,
    );
  }
  return concat(gradients(loss, parameters).map(flatten), 0);
}

/** A program that replaces the state of the optimiser. `views` are the weights, if the graph has parameters. */
function steppingProgram(
  graph: Graph,
  results: readonly ModelOutput[],
  state: AdamState,
  next: AdamState,
  layout: Layout,
  views: Value | undefined,
): Program {
  const pairs = [
    [state.weights, next.weights],
    [state.mean, next.mean],
    [state.variance, next.variance],
    [state.step, next.step],
  ] as const;
  const updates = pairs.map(([before, value]) => ({ name: `${before.name}.next`, value }));
  return {
    model: modelBytes(graph, [...results, ...updates], layout, views),
    feeds: feedsOf(graph, [...results, ...updates]),
    outputs: results.map(specOf),
    state: pairs.map(([before]) => ({
      name: before.name,
      dtype: before.dtype,
      dims: before.shape.filter(dim => typeof dim === 'number'),
      startsAsZeros: before !== state.weights,
      next: `${before.name}.next`,
    })),
    layout,
  };
}

const listed = (outputs: Outputs): ModelOutput[] =>
  Object.entries(outputs).map(([name, value]) => ({ name, value }));

const specOf = ({ name, value }: ModelOutput): Spec => ({ name, dtype: value.dtype, shape: value.shape });

/** The inputs that the outputs need. */
function feedsOf(graph: Graph, outputs: readonly ModelOutput[]): Spec[] {
  const needed = neededFor(outputs);
  return graph.inputs
    .filter(input => needed.has(input))
    .map(({ name, dtype, shape }) => ({ name, dtype, shape }));
}
