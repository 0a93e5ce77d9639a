// The two choosers: a rollout samples, training replays recorded choices.

import type { Graph, Value } from '../../graph/graph.ts';
import * as op from '../../graph/ops/index.ts';
import { SLOTS, type Slot } from './action-kinds.ts';
import { type Chooser, maskLogits } from './heads/graph-decision.ts';

/**
 * Samples each choice. Feeds for each row: `chance` [B, slots], uniform in [0, 1); `temperature` [B, 1]; `exploration` [B, 1], the
 * weight of random choices among the valid ones; `guided` [B, 1], 1 if these prefer what the scores prefer, 0 if all are equally likely.
 * The recorded distribution is the one that was sampled. At temperature 0 the most likely choice is taken, and the distribution at
 * temperature 1 is recorded.
 */
export function samplingChooser(graph: Graph): Chooser {
  const chance = graph.input('chance', 'float32', ['B', SLOTS.length]);
  const chances = op.split(
    chance,
    SLOTS.map(() => 1),
    1,
  );
  const fedTemperature = graph.input('temperature', 'float32', ['B', 1]);
  const isGreedy = op.lessOrEqual(fedTemperature, 0);
  const temperature = op.where(isGreedy, 1, fedTemperature);
  const exploration = graph.input('exploration', 'float32', ['B', 1]);
  const guided = graph.input('guided', 'float32', ['B', 1]);
  return {
    distribution: (logits, valid, scores) => {
      const tempered = op.softmax(op.div(logits, temperature));
      const guiding = scores === undefined ? op.zerosLike(valid) : op.mul(guided, scores);
      const random = op.mul(op.softmax(maskLogits(guiding, valid)), valid);
      const mixed = op.add(op.mul(tempered, op.sub(1, exploration)), op.mul(random, exploration));
      return op.log(op.max(mixed, MIN_PROBABILITY));
    },
    choice: (slot, logProbabilities) => {
      const cumulative = op.cumulativeSum(op.exp(logProbabilities), 1);
      const total = op.reduceMax(cumulative, [1], { keepDims: true });
      const point = op.max(op.mul(at(chances, slot), total), MIN_DRAW);
      const sampled = op.cast(
        op.reduceSum(op.cast(op.lessOrEqual(cumulative, point), 'float32'), [1]),
        'int32',
      );
      const mostLikely = op.cast(op.argMax(logProbabilities, 1), 'int32');
      return op.where(op.reshape(isGreedy, ['B']), mostLikely, sampled);
    },
  };
}

/** Above the smallest normal float32, so that its logarithm is finite; negligible as a probability. */
const MIN_PROBABILITY = 1e-30;

/** Above the summed probability of hundreds of invalid choices, so that a draw of 0 selects the first valid choice. */
const MIN_DRAW = 1e-20;

/** Returns the choices that are fed as `chosen` [B, slots]. */
export function recordedChooser(graph: Graph): Chooser {
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
  if (value === undefined)
    throw new RangeError(`Decision slot '${slot}' has no feed. Known slots: ${SLOTS.join(', ')}.`);
  return value;
}
