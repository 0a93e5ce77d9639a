// A critic: the probability that a rollout succeeds, learned from the results of rollouts. A logistic regression over hashed features: one
// step for each result, without a network and without randomness.

import { sum } from '../../core/sum.ts';
import { FEATURES, type Features } from './features.ts';

/** Constant, because the policy that the critic values changes. */
const RATE = 0.2;

export class Critic {
  readonly #weights = new Float64Array(FEATURES);
  /** The share of all tasks, which a critic knows long before it knows each of many. */
  #bias = 0;

  /** 0.5 before the first result. */
  value(features: Features): number {
    const score = scaleOf(features) * sum(features.map(feature => this.#weights[feature] ?? 0));
    return 1 / (1 + Math.exp(-this.#bias - score));
  }

  /** One step towards a result from 0 to 1, along the gradient of the cross-entropy. `weight`: its length, from 0 to 1. */
  learn(features: Features, result: number, weight = 1): void {
    const step = RATE * weight * (result - this.value(features));
    const ofEach = step * scaleOf(features);
    for (const feature of features) this.#weights[feature] = (this.#weights[feature] ?? 0) + ofEach;
    this.#bias += step;
  }
}

/** The norm of the features is 1, however many there are. */
const scaleOf = (features: Features): number => 1 / Math.sqrt(Math.max(1, features.length));
