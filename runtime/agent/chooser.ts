// The two who choose: chance, in a rollout; and the record of what was chosen, in training.

import type { Graph, Value } from '../graph/graph.ts';
import * as op from '../graph/ops/index.ts';
import { SLOTS, type Slot } from './action-kinds.ts';
import type { Chooser } from './heads/choosing.ts';

/**
 * Draws each choice. Fed for each row: `chance` [B, slots], each from 0 to below 1; `temperature` [B, 1]; `exploration` [B, 1], the
 * share of decisions that are made as if all valid choices were equally good. The distribution that is recorded is the one that was drawn
 * from. At a temperature of 0 nothing is drawn: the likeliest is taken, and recorded is how likely the policy finds everything, as at 1.
 */
export function drawn(graph: Graph): Chooser {
  const chance = graph.input('chance', 'float32', ['B', SLOTS.length]);
  const chances = op.split(
    chance,
    SLOTS.map(() => 1),
    1,
  );
  const given = graph.input('temperature', 'float32', ['B', 1]);
  const isLikeliest = op.lessOrEqual(given, 0);
  const temperature = op.where(isLikeliest, 1, given);
  const exploration = graph.input('exploration', 'float32', ['B', 1]);
  return {
    distribution: (logits, valid) => {
      const sharpened = op.softmax(op.div(logits, temperature));
      const even = op.div(valid, op.max(op.reduceSum(valid, [1], { keepDims: true }), 1));
      const mixed = op.add(op.mul(sharpened, op.sub(1, exploration)), op.mul(even, exploration));
      return op.log(op.max(mixed, TINY));
    },
    choice: (slot, logProbabilities) => {
      const upTo = op.cumulativeSum(op.exp(logProbabilities), 1);
      const whole = op.reduceMax(upTo, [1], { keepDims: true });
      const point = op.max(op.mul(at(chances, slot), whole), LEAST);
      const drawn = op.cast(op.reduceSum(op.cast(op.lessOrEqual(upTo, point), 'float32'), [1]), 'int32');
      const likeliest = op.cast(op.argMax(logProbabilities, 1), 'int32');
      return op.where(op.reshape(isLikeliest, ['B']), likeliest, drawn);
    },
  };
}

/** Above the smallest normal number, so that its logarithm is one; far below any chance that matters. */
const TINY = 1e-30;

/** Above what hundreds of invalid choices come to together, so that a chance of 0 takes the first valid one. */
const LEAST = 1e-20;

/** Takes the choices that are fed as `chosen` [B, slots]. */
export function recorded(graph: Graph): Chooser {
  const chosen = op.split(
    graph.input('chosen', 'int32', ['B', SLOTS.length]),
    SLOTS.map(() => 1),
    1,
  );
  return {
    distribution: logits => op.logSoftmax(logits),
    choice: slot => op.reshape(at(chosen, slot), ['B']),
  };
}

function at(values: readonly Value[], slot: Slot): Value {
  const value = values[SLOTS.indexOf(slot)];
  if (value === undefined) throw new RangeError(`There is no decision '${slot}'.`);
  return value;
}
