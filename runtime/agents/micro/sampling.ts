// The distribution of the next token, joined from its three parts, and a sample of it. Pure except for the random number.

import { at } from '../../core/at.ts';
import type { Tensors } from '../../graph/tensor.ts';
import type { TokenEntry } from './row.ts';

export interface SampledToken {
  readonly id: number;
  /** Natural logarithms at temperature 1, of this token and of the likeliest ones. */
  readonly logProbability: number;
  readonly alternatives: readonly { readonly id: number; readonly logProbability: number }[];
  /** Of the whole distribution at temperature 1, in nats. */
  readonly entropy: number;
}

export class TokenDistribution {
  readonly #probabilities: Float64Array;

  private constructor(probabilities: Float64Array) {
    this.#probabilities = probabilities;
  }

  /** `outputs` of a program; copies refer to the entries of the prompt. */
  static of({ written, copied, pointed }: Tensors, prompt: readonly TokenEntry[]): TokenDistribution {
    if (written === undefined || copied === undefined || pointed === undefined)
      throw new RangeError('The program has no distribution among its outputs.');
    const probabilities = Float64Array.from(written.data, Number);
    for (const [at, { copy, copyDown }] of prompt.entries()) {
      if (copy >= 0) probabilities[copy] = (probabilities[copy] ?? 0) + Number(copied.data[at]);
      if (copyDown >= 0) probabilities[copyDown] = (probabilities[copyDown] ?? 0) + Number(pointed.data[at]);
    }
    return new TokenDistribution(probabilities);
  }

  sample(temperature: number, random: () => number, alternatives: number): SampledToken {
    const id = temperature === 0 ? at(this.#likeliest(1), 0).id : this.#draw(temperature, random());
    return {
      id,
      logProbability: this.logProbability(id),
      alternatives: this.#likeliest(alternatives),
      entropy: this.#entropy(),
    };
  }

  logProbability(id: number): number {
    return Math.log(Math.max(at(this.#probabilities, id), LEAST));
  }

  /** p^(1/temperature), normalised. */
  #draw(temperature: number, uniform: number): number {
    const powers =
      temperature === 1 ? this.#probabilities : this.#probabilities.map(each => each ** (1 / temperature));
    let left = uniform * powers.reduce((sum, each) => sum + each, 0);
    for (const [id, power] of powers.entries()) {
      left -= power;
      if (left < 0) return id;
    }
    // Rounding may leave a remainder.
    return powers.findLastIndex(power => power > 0);
  }

  #likeliest(count: number): readonly { readonly id: number; readonly logProbability: number }[] {
    const best: { readonly id: number; readonly probability: number }[] = [];
    for (const [id, probability] of this.#probabilities.entries()) {
      const last = best[count - 1];
      if (count === 0 || (last !== undefined && probability <= last.probability)) continue;
      const place = best.findIndex(each => each.probability < probability);
      best.splice(place < 0 ? best.length : place, 0, { id, probability });
      best.length = Math.min(best.length, count);
    }
    return best.map(({ id }) => ({ id, logProbability: this.logProbability(id) }));
  }

  #entropy(): number {
    return this.#probabilities.reduce((sum, each) => (each > 0 ? sum - each * Math.log(each) : sum), 0);
  }
}

/** As in programs.ts. */
const LEAST = 1e-12;
