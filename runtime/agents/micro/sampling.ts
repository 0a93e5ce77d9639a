// The distribution of the next token, joined from its three parts, and a sample of it. Pure except for the random number.

import { at } from '../../core/at.ts';
import { type Tensor, type Tensors, tensorValue } from '../../graph/tensor.ts';
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

  /** `outputs` of a program for one row; copies refer to the entries of the prompt. `place` counts the predicted tokens. */
  static of(
    { written, copied, pointed }: Tensors,
    prompt: readonly TokenEntry[],
    place = 0,
  ): TokenDistribution {
    if (written === undefined || copied === undefined || pointed === undefined)
      throw new RangeError('The program has no distribution among its outputs.');
    const [pieces, keys] = [at(written.dims, 2), at(copied.dims, 2)];
    const probabilities = Float64Array.from(
      written.data.subarray(place * pieces, (place + 1) * pieces),
      Number,
    );
    for (const [entry, { copy, copyDown }] of prompt.entries()) {
      const share = (part: Tensor) => tensorValue(part, place * keys + entry);
      if (copy >= 0) probabilities[copy] = (probabilities[copy] ?? 0) + share(copied);
      if (copyDown >= 0) probabilities[copyDown] = (probabilities[copyDown] ?? 0) + share(pointed);
    }
    return new TokenDistribution(probabilities);
  }

  /** A token that is known, as if it had been sampled. */
  of(id: number, alternatives: number): SampledToken {
    return {
      ...{ id, logProbability: this.logProbability(id) },
      ...{ alternatives: this.#likeliest(alternatives), entropy: this.#entropy() },
    };
  }

  sample(temperature: number, random: () => number, alternatives: number): SampledToken {
    const id = temperature === 0 ? at(this.#likeliest(1), 0).id : this.#draw(temperature, random());
    return this.of(id, alternatives);
  }

  logProbability(id: number): number {
    return Math.log(Math.max(at(this.#probabilities, id), LEAST));
  }

  /** p^(1/temperature), normalised. Relative to the likeliest token: the powers of a low temperature would all be 0. */
  #draw(temperature: number, uniform: number): number {
    const highest = this.#probabilities.reduce((one, other) => Math.max(one, other), 0);
    const powers =
      temperature === 1
        ? this.#probabilities
        : this.#probabilities.map(each => (each / highest) ** (1 / temperature));
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
