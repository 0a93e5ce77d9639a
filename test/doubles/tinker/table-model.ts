// A linear softmax model with one table: the logits of a target depend on the input of its place alone. Small enough to check by hand, and
// its gradient is exact.

import { at } from '../../../runtime/core/at.ts';
import { sum } from '../../../runtime/core/sum.ts';
import type {
  ForwardBackward,
  WireDatum,
  WireTensor,
} from '../../../runtime/learner/tinker/wire/messages.ts';

/** Larger tokens are their remainder. */
export const VOCABULARY = 7;
const SIZE = VOCABULARY ** 2;

export interface AdamNumbers {
  readonly learning_rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  readonly weight_decay: number;
  readonly grad_clip_norm: number;
}

export type PassLoss = Pick<ForwardBackward, 'lossFn' | 'lossFnConfig'>;

/** Weights and optimiser. Immutable. */
export interface TableState {
  readonly steps: number;
  readonly weights: readonly number[];
  readonly mean: readonly number[];
  readonly variance: readonly number[];
}

const zeros = (): readonly number[] => Array.from({ length: SIZE }, () => 0);

export const FIRST_STATE: TableState = {
  steps: 0,
  weights: Array.from({ length: SIZE }, (_, index) => Math.sin(index)),
  mean: zeros(),
  variance: zeros(),
};

export class TableModel {
  state: TableState;
  #gradient = zeros();
  #rows = 0;

  constructor(state: TableState = FIRST_STATE) {
    this.state = state;
  }

  /** A new model that has the gradients which were left in this one. */
  heir(): TableModel {
    const heir = new TableModel();
    heir.#gradient = this.#gradient;
    heir.#rows = this.#rows;
    return heir;
  }

  /** The log-probability of each target. With gradients, also adds up those of −Σ weight · log p. */
  pass(
    datum: WireDatum,
    loss: PassLoss,
    reduction: 'sum' | 'row-mean',
    withGradient: boolean,
  ): readonly number[] {
    const contexts = datum.input.flatMap(contextsOf);
    const targets = (datum.lossInputs['target_tokens']?.data ?? []).map(token => token % VOCABULARY);
    const likely = contexts.map(context => probabilities(this.state.weights, context));
    const logProbabilities = targets.map((target, place) => Math.log(at(at(likely, place), target)));
    if (!withGradient) return logProbabilities;
    const weights = slopes(datum.lossInputs, loss, logProbabilities, reduction);
    const gradient = [...this.#gradient];
    for (const [place, weight] of weights.entries())
      for (const [other, probability] of at(likely, place).entries()) {
        const index = at(contexts, place) * VOCABULARY + other;
        gradient[index] = at(gradient, index) + weight * (probability - Number(other === at(targets, place)));
      }
    this.#gradient = gradient;
    this.#rows += 1;
    return logProbabilities;
  }

  /** Uses up the gradients. Returns their norm. */
  step(adam: AdamNumbers, reduction: 'sum' | 'row-mean'): number {
    const divisor = reduction === 'sum' ? 1 : Math.max(1, this.#rows);
    const gradient = this.#gradient.map(each => each / divisor);
    const norm = Math.hypot(...gradient);
    const scale = adam.grad_clip_norm > 0 && norm > adam.grad_clip_norm ? adam.grad_clip_norm / norm : 1;
    const { steps: before, weights, mean, variance } = this.state;
    const steps = before + 1;
    const means = mean.map(
      (each, index) => adam.beta1 * each + (1 - adam.beta1) * scale * at(gradient, index),
    );
    const variances = variance.map(
      (each, index) => adam.beta2 * each + (1 - adam.beta2) * (scale * at(gradient, index)) ** 2,
    );
    this.state = {
      steps,
      weights: weights.map((each, index) => {
        const direction = at(means, index) / (1 - adam.beta1 ** steps);
        const size = Math.sqrt(at(variances, index) / (1 - adam.beta2 ** steps)) + adam.eps;
        return each - adam.learning_rate * (direction / size + adam.weight_decay * each);
      }),
      mean: means,
      variance: variances,
    };
    this.#gradient = zeros();
    this.#rows = 0;
    return norm;
  }
}

/** The weight of each place in −Σ weight · log p. */
function slopes(
  inputs: Readonly<Record<string, WireTensor>>,
  { lossFn, lossFnConfig }: PassLoss,
  present: readonly number[],
  reduction: 'sum' | 'row-mean',
): readonly number[] {
  const weights = inputs['weights']?.data ?? present.map(() => 1);
  const divisor = reduction === 'sum' ? 1 : Math.max(1e-9, sum(weights));
  if (lossFn === 'cross_entropy') return weights.map(weight => weight / divisor);
  const [sampled, advantages] = [inputs['logprobs']?.data ?? [], inputs['advantages']?.data ?? []];
  return weights.map((weight, place) => {
    const [ratio, advantage] = [Math.exp(at(present, place) - at(sampled, place)), at(advantages, place)];
    const isFlat = lossFn === 'ppo' && isClipped(ratio, advantage, lossFnConfig);
    return isFlat ? 0 : (weight * advantage * ratio) / divisor;
  });
}

function bounded(ratio: number, config: PassLoss['lossFnConfig'] = {}): number {
  const { clip_low_threshold: low = 0.8, clip_high_threshold: high = 1.2 } = config;
  return Math.min(Math.max(ratio, Number(low)), Number(high));
}

const isClipped = (ratio: number, advantage: number, config: PassLoss['lossFnConfig']): boolean =>
  bounded(ratio, config) * advantage < ratio * advantage;

/** PPO's loss of each place. */
export function ppoLosses(
  inputs: Readonly<Record<string, WireTensor>>,
  { lossFnConfig }: PassLoss,
  present: readonly number[],
): readonly number[] {
  const [sampled, advantages] = [inputs['logprobs']?.data ?? [], inputs['advantages']?.data ?? []];
  return present.map((each, place) => {
    const [ratio, advantage] = [Math.exp(each - at(sampled, place)), at(advantages, place)];
    return -Math.min(ratio * advantage, bounded(ratio, lossFnConfig) * advantage);
  });
}

function contextsOf(chunk: WireDatum['input'][number]): readonly number[] {
  if (chunk.kind === 'text') return chunk.tokens.map(token => token % VOCABULARY);
  if (chunk.kind === 'pointer') return [];
  const code = sum([...chunk.data]) % VOCABULARY;
  return Array.from({ length: imageTokens(chunk.data) }, () => code);
}

/** The number of places of an image: the double's rule. */
export const imageTokens = (data: Uint8Array): number => 1 + (data.byteLength % 3);

function probabilities(table: readonly number[], context: number): readonly number[] {
  const powers = table.slice(context * VOCABULARY, (context + 1) * VOCABULARY).map(Math.exp);
  const total = sum(powers);
  return powers.map(power => power / total);
}
