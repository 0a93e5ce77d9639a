// The losses of the Tinker protocol as signed weights of tokens: the gradient of a loss is that of −Σ weight · log p, if each weight is
// minus the derivative of the loss by the log-probability of its token. All losses are sums over tokens. Pure.

import { at } from '../../core/at.ts';
import { TinkerFault } from './faults.ts';

export interface LossInputs {
  /** Under the weights of the model. */
  readonly logprobs: readonly number[];
  /** What the request gave for each token. cross_entropy needs no list; without `weights` each token counts once. */
  readonly weights?: readonly number[] | undefined;
  /** Under the weights that sampled. */
  readonly sampled?: readonly number[] | undefined;
  readonly advantages?: readonly number[] | undefined;
}

export interface TokenLosses {
  readonly losses: readonly number[];
  readonly weights: readonly number[];
}

export type LossConfig = Readonly<Record<string, number | string>>;

interface TokenLoss {
  readonly loss: number;
  readonly weight: number;
}

interface LossFunction {
  /** The settings with their defaults. */
  readonly settings: Readonly<Record<string, number>>;
  readonly of: (
    present: number,
    sampled: number,
    advantage: number,
    settings: (name: string) => number,
  ) => TokenLoss;
}

const CLIP = { clip_low_threshold: 0.8, clip_high_threshold: 1.2 };

const clipped = (ratio: number, settings: (name: string) => number): number =>
  Math.min(settings('clip_high_threshold'), Math.max(settings('clip_low_threshold'), ratio));

const LOSSES: Readonly<Record<string, LossFunction>> = {
  /** −ratio · A */
  importance_sampling: {
    settings: {},
    of(present, sampled, advantage) {
      const gain = Math.exp(present - sampled) * advantage;
      return { loss: -gain, weight: gain };
    },
  },
  /** −min(ratio · A, clip(ratio) · A) */
  ppo: {
    settings: CLIP,
    of(present, sampled, advantage, settings) {
      const ratio = Math.exp(present - sampled);
      const [free, bounded] = [ratio * advantage, clipped(ratio, settings) * advantage];
      return bounded < free ? { loss: -bounded, weight: 0 } : { loss: -free, weight: free };
    },
  },
  /** −clip(ratio) · A · log p, where the clipped ratio has no gradient */
  cispo: {
    settings: CLIP,
    of(present, sampled, advantage, settings) {
      const weight = clipped(Math.exp(present - sampled), settings) * advantage;
      return { loss: -weight * present, weight };
    },
  },
  /** −(A · log p − β/2 · (log p − log p of the sampler)²) */
  dro: {
    settings: { beta: 0.05 },
    of(present, sampled, advantage, settings) {
      const [apart, beta] = [present - sampled, settings('beta')];
      return { loss: -(advantage * present - (beta / 2) * apart ** 2), weight: advantage - beta * apart };
    },
  },
};

export const CROSS_ENTROPY = 'cross_entropy';
export const LOSS_NAMES: readonly string[] = [CROSS_ENTROPY, ...Object.keys(LOSSES)];

/** Throws a TinkerFault for an unknown loss or setting, before anything is computed. */
export function checkLoss(name: string, config: LossConfig): void {
  if (!LOSS_NAMES.includes(name))
    throw new TinkerFault(`The loss '${name}' is not served. Use one of ${LOSS_NAMES.join(', ')}.`);
  const known = Object.keys(LOSSES[name]?.settings ?? {});
  for (const [setting, value] of Object.entries(config)) {
    if (!known.includes(setting))
      throw new TinkerFault(
        `The loss '${name}' has no setting '${setting}'. ${known.length === 0 ? 'Leave the settings out' : `Use ${known.join(', ')}`}.`,
      );
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new TinkerFault(`The setting '${setting}' is ${JSON.stringify(value)}. Send a finite number.`);
  }
}

/** Throws a TinkerFault if a list is missing or too short, or a weight is not finite. */
export function tokenLosses(name: string, config: LossConfig, inputs: LossInputs): TokenLosses {
  const { logprobs, weights: own, sampled, advantages } = inputs;
  const loss = LOSSES[name];
  const tokens = logprobs.map((present, token): TokenLoss => {
    const mask = own === undefined ? 1 : at(own, token);
    if (loss === undefined) return { loss: -mask * present, weight: mask };
    const settings = (setting: string) => Number(config[setting] ?? loss.settings[setting]);
    const { loss: value, weight } = loss.of(
      present,
      needed(sampled, token, name, 'logprobs'),
      needed(advantages, token, name, 'advantages'),
      settings,
    );
    return { loss: mask * value, weight: mask * weight };
  });
  const odd = tokens.findIndex(({ weight }) => !Number.isFinite(weight));
  if (odd >= 0)
    throw new TinkerFault(
      `The loss '${name}' has the weight ${at(tokens, odd).weight} at token ${odd} of a reply. Send finite weights, advantages and log-probabilities.`,
    );
  return { losses: tokens.map(each => each.loss), weights: tokens.map(each => each.weight) };
}

function needed(list: readonly number[] | undefined, token: number, loss: string, name: string): number {
  if (list !== undefined) return at(list, token);
  throw new TinkerFault(`The loss '${loss}' needs '${name}' in loss_fn_inputs of each datum. Send them.`);
}
