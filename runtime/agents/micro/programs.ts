// The programs of the micro model. They share one vector of weights:
// train: whole rows, a signed weight for each token of the reply, one Adam step; accumulate: the same gradient, added to a sum; step: one
// Adam step on a sum; assess: log-probabilities of known replies; read: the prompt of one row, which fills the cache; write: one token of
// a reply against the cache.

import type { AdamOptions } from '../../graph/adam.ts';
import type { Value } from '../../graph/graph.ts';
import { initialWeights, type Layout, layoutOf } from '../../graph/layout.ts';
import * as op from '../../graph/ops/index.ts';
import {
  accumulatingProgram,
  adamProgram,
  forwardProgram,
  type Program,
  type StateSpec,
  trainingProgram,
} from '../../graph/program.ts';
import { type MicroNetwork, type MicroShape, stepNetwork, wholeNetwork } from './network.ts';

/** Below this a probability has no gradient. */
const LEAST = 1e-12;

/**
 * loss = −Σ weight · log p over the tokens of all replies. The caller scales the weights: 1 / tokens for cloning, signed ones for a
 * policy gradient.
 */
export function microTrainingProgram(shape: MicroShape, optimiser: AdamOptions): Program {
  const { graph, loss, logProbability } = signedLoss(shape);
  return trainingProgram(graph, loss, optimiser, { logProbability });
}

/** Adds the gradient of the same loss to the state 'gradient'. The weights stay as they are. */
export function microGradientProgram(shape: MicroShape): Program {
  const { graph, loss, logProbability } = signedLoss(shape);
  return accumulatingProgram(graph, loss, { logProbability });
}

/** One Adam step on a gradient. */
export const microStepProgram = (shape: MicroShape): Program => adamProgram(microLayout(shape));

function signedLoss(shape: MicroShape) {
  const network = wholeNetwork(shape);
  const logProbability = logProbabilities(network);
  const weight = network.graph.input('weight', 'float32', ['B', 'R']);
  const loss = op.neg(op.reduceSum(op.mul(logProbability, weight)));
  return { graph: network.graph, loss, logProbability };
}

/** The log-probability of each token of the replies: [B, R]. */
export function microAssessingProgram(shape: MicroShape): Program {
  const network = wholeNetwork(shape);
  return forwardProgram(network.graph, { logProbability: logProbabilities(network) });
}

/** log p(target): the three parts of the distribution may all contain the token. */
function logProbabilities({ graph, written, copied, pointed }: MicroNetwork): Value {
  const target = op.unsqueeze(graph.input('target', 'int32', ['B', 'R']), 2);
  const ofCopies = (part: Value, copies: string) => {
    const same = op.cast(op.equal(op.unsqueeze(inputNamed(graph, copies), 1), target), 'float32');
    return op.reduceSum(op.mul(part, same), [2]);
  };
  const probability = op.add(
    op.reshape(op.gatherElements(written, target, 2), ['B', 'R']),
    op.add(ofCopies(copied, 'copy'), ofCopies(pointed, 'copyDown')),
  );
  return op.log(op.max(probability, LEAST));
}

function inputNamed(graph: MicroNetwork['graph'], name: string): Value {
  const found = graph.inputs.find(each => each.name === name);
  if (found === undefined) throw new RangeError(`The network has no input '${name}'.`);
  return found;
}

const distribution = ({ written, copied, pointed }: MicroNetwork) => ({ written, copied, pointed });

/** The distribution after the prompt, and the cache of its tokens: `cache.NAME` is [B, T, width]. */
export function readingProgram(shape: MicroShape): Program {
  const caches: Record<string, Value> = {};
  const network = wholeNetwork(shape, (name, value) => {
    caches[cacheName(name)] = value;
  });
  return forwardProgram(network.graph, { ...distribution(network), ...caches });
}

/** One token of a reply. The state has room for `capacity` tokens; each run adds one. */
export function writingProgram(shape: MicroShape, capacity: number): Program {
  const updates: { readonly next: string; readonly value: Value; readonly past: Value }[] = [];
  const network = stepNetwork(shape, capacity, (name, value, past) => {
    updates.push({ next: `${cacheName(name)}.next`, value, past });
  });
  const program = forwardProgram(network.graph, {
    ...distribution(network),
    ...Object.fromEntries(updates.map(({ next, value }) => [next, value])),
  });
  const nextOf = new Map(updates.map(({ past, next }) => [past, next]));
  const state = network.graph.states.flatMap((value): StateSpec[] => {
    if (!value.name.startsWith(CACHE)) return [];
    const next = nextOf.get(value);
    const dims = value.shape.filter(dim => typeof dim === 'number');
    return [{ name: value.name, dtype: value.dtype, dims, startsAsZeros: true, ...(next && { next }) }];
  });
  return {
    ...program,
    outputs: program.outputs.filter(({ name }) => !name.endsWith('.next')),
    state: [...program.state, ...state],
  };
}

const CACHE = 'cache.';
const cacheName = (name: string): string => `${CACHE}${name}`;

export const microLayout = (shape: MicroShape): Layout => layoutOf(wholeNetwork(shape).graph);

export const firstMicroWeights = (shape: MicroShape, random: () => number): Float32Array<ArrayBuffer> =>
  initialWeights(wholeNetwork(shape).graph, random);
