// The three programs of a policy: decide, assess recorded decisions, and train. They share one vector of weights.

import type { AdamOptions } from '../../graph/adam.ts';
import { initialWeights, type Layout, layoutOf } from '../../graph/layout.ts';
import * as op from '../../graph/ops/index.ts';
import { forwardProgram, type Program, trainingProgram } from '../../graph/program.ts';
import { SLOTS } from './action-kinds.ts';
import { recordedChooser, samplingChooser } from './chooser.ts';
import { buildPolicy, type NetworkShape } from './network.ts';
import { assess, type ObjectiveOptions, objective } from './objective.ts';

/** Samples decisions. Outputs for each slot: the choice, its distribution, and the number of valid choices. */
export function decidingProgram(shape: NetworkShape): Program {
  const { graph, decisions } = buildPolicy(shape, samplingChooser);
  const outputs = SLOTS.flatMap(slot => [
    [choiceOf(slot), decisions[slot].choice] as const,
    [distributionOf(slot), decisions[slot].logProbabilities] as const,
    [validOf(slot), op.reduceSum(decisions[slot].valid, [1])] as const,
  ]);
  return forwardProgram(graph, Object.fromEntries(outputs));
}

export const choiceOf = (slot: string): string => `${slot}.choice`;
export const distributionOf = (slot: string): string => `${slot}.distribution`;
export const validOf = (slot: string): string => `${slot}.valid`;

/** Statistics of recorded decisions under the current weights: [B, slots] each. */
export function assessingProgram(shape: NetworkShape): Program {
  const policy = buildPolicy(shape, recordedChooser);
  const { logProbability, entropy, uncertainty, open } = assess(policy);
  return forwardProgram(policy.graph, { logProbability, entropy, uncertainty, open });
}

export function learningProgram(
  shape: NetworkShape,
  options: ObjectiveOptions,
  optimiser: AdamOptions,
): Program {
  const policy = buildPolicy(shape, recordedChooser);
  const { loss, outputs } = objective(policy, options);
  return trainingProgram(policy.graph, loss, optimiser, outputs);
}

export const layoutFor = (shape: NetworkShape): Layout => layoutOf(buildPolicy(shape, recordedChooser).graph);

export const firstWeights = (shape: NetworkShape, random: () => number): Float32Array<ArrayBuffer> =>
  initialWeights(buildPolicy(shape, recordedChooser).graph, random);
